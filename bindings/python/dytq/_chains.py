# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of elementwise operators, and lines through one rounding."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Iterable, NamedTuple, Optional, Sequence

from . import _abi
from ._buffers import Array, Memory, empty, shape_of
from ._library import call, number, of_type, struct
from ._scalars import Range, Rescale, range_of


def set_codes(words: Any, codes: Iterable[int], what: str) -> None:
    """Codes as the bits of four words."""
    for code in codes:
        if not -128 <= code <= 127:
            raise ValueError(f"{what}: {code} is no int8 code")
        words[(code + 128) // 64] |= 1 << (code + 128) % 64


@dataclasses.dataclass
class Step:
    """One operator of a chain. What its operation does not name is ignored.

    op: rescale, mul, add, sub, table, clamp, maximum, minimum, abs, negate, arithmetic_right_shift; and in new chains
        depthwise (int8 to int32: (x - input_zp) * codes + constants), channel_tables (a TABLE for each channel).
    scale: of rescale; with `wide` its result is int32. multiplier, shift: int32 [C], in place of its own.
    constant, or constants int32 [C], or codes int8 [C] through `scale`: of mul, add, sub, maximum, minimum,
        arithmetic_right_shift.
    table: int8 [256]. tables: int8 [K, 256], with constants the row of each channel. range: of clamp.
    """

    op: str
    scale: Rescale = dataclasses.field(default_factory=Rescale)
    wide: bool = False
    multiplier: Optional[Array] = None
    shift: Optional[Array] = None
    constants: Optional[Array] = None
    codes: Optional[Array] = None
    table: Optional[Array] = None
    tables: Optional[Array] = None
    constant: int = 0
    range: Optional[Range] = None
    input_zp: int = 0
    output_zp: int = 0
    round: bool = False
    sliced: bool = False

    def _c(self, m: Memory) -> _abi.dytq_chain_step:
        return struct(_abi.dytq_chain_step, number(_abi.NAMES_OPERATION, self.op, "op"), self.wide, of_type(self.scale, Rescale, "scale")._c(),
                      m.view(self.multiplier, "int32", "multiplier"), m.view(self.shift, "int32", "shift"),
                      m.view(self.constants, "int32", "constants"), m.view(self.codes, "int8", "codes"), m.view(self.table, "int8", "table"),
                      m.view(self.tables, "int8", "tables"), self.constant, range_of(self.range), self.input_zp, self.output_zp, self.round,
                      self.sliced)


@dataclasses.dataclass
class Chain:
    """Elementwise operators with constants, int8 in and int8 out: what stands between two operators that mix elements.

    channels: C of the per-channel constants. domain: the codes that can occur at the entrance; None: all.
    zero_point: of the codes at the entrance. At most 32 steps.
    """

    steps: Sequence[Step]
    channels: int = 1
    domain: Optional[Iterable[int]] = None
    zero_point: int = 0

    def _c(self, m: Memory) -> _abi.dytq_chain:
        steps = m.keep((_abi.dytq_chain_step * max(1, len(self.steps)))(*(of_type(step, Step, "steps")._c(m) for step in self.steps)))
        chain = struct(_abi.dytq_chain, steps, len(self.steps), self.channels, self.zero_point)
        if self.domain is not None:
            chain.has_domain = 1
            set_codes(chain.domain, self.domain, "domain")
        return m.keep(chain)

    def maps(self) -> Array:
        """What the chain makes of each code: int8 [C, 256]; entry i is for code i - 128, 0 where that cannot occur.

        Raises Rejected: unknown_type: a step that does not take the type before it; channel_count; range_inverted;
            value_exceeds_shift, value_exceeds_int32, add_overflow: step, channel and code.
        """
        maps = empty("int8", self.channels if self.channels > 0 else 0, 256)
        with Memory() as m:
            call("chain_maps", self._c(m), m.output(maps, "int8", "maps"))
        return maps

    def __call__(self, x: Array, out: Optional[Array] = None) -> Array:
        """The chain over int8 [N, C, P]; out may be x itself. Raises Rejected, also code_out_of_range: a code outside the domain."""
        out = empty("int8", *shape_of(x)) if out is None else out
        with Memory() as m:
            call("chain_apply", self._c(m), m.view(x, "int8", "x"), m.output(out, "int8", "out"))
        return out


class Line(NamedTuple):
    """One channel as a line through one rounding: clamp(rescale(bias + (code - input_zp) * weight)).

    max_difference: codes that the worst value is off. differ: entries whose value is off."""

    weight: int
    bias: int
    multiplier: int
    shift: int
    max_difference: int
    differ: int


class LineConflict(NamedTuple):
    """Three codes that no line meets: the middle one needs `expected`, and the nearest that serves the others is `got`."""

    codes: tuple[int, int, int]
    expected: int
    got: int


def _line(name: str, made: Any, codes: Array, values: Array, input_zp: int, output_zp: int, tolerance: int, rounding: str, out: Range,
          weights: Range) -> None:
    kinds = ("int8", "int16", "int32", "int64")
    search = struct(_abi.dytq_line_search, input_zp, output_zp, tolerance, number(_abi.NAMES_ROUNDING, rounding, "rounding"), range_of(out),
                    range_of(weights))
    with Memory() as m:
        call(name, m.view(codes, kinds, "codes"), m.view(values, kinds, "values"), search, made)


def fit_line(codes: Array, values: Array, *, input_zp: int = 0, output_zp: int = 0, tolerance: int = 0, rounding: str = "single_round",
             out: Range = (-128, 127), weights: Range = (-127, 127)) -> Line:
    """The line that gives values[i] for codes[i], clamped ends included: a depthwise 1x1 convolution with a bias, then a RESCALE.

    Shape: codes and values [N], of one type. tolerance: codes that a value may be off; the smallest largest difference is found.
    Raises Rejected: no_line: find_line_conflict has three codes that prove it; no_line_weight; contradiction; empty; size_mismatch.
    """
    line = struct(_abi.dytq_line)
    _line("fit_line", line, codes, values, input_zp, output_zp, tolerance, rounding, out, weights)
    return Line(line.weight, line.bias, line.multiplier, line.shift, line.max_difference, line.differ)


def find_line_conflict(codes: Array, values: Array, *, input_zp: int = 0, output_zp: int = 0, tolerance: int = 0,
                       rounding: str = "single_round", out: Range = (-128, 127), weights: Range = (-127, 127)) -> Optional[LineConflict]:
    """Three codes that prove that no line meets a map, or None: then a real line is within half a code of every value."""
    conflict = struct(_abi.dytq_line_conflict)
    _line("find_line_conflict", conflict, codes, values, input_zp, output_zp, tolerance, rounding, out, weights)
    return LineConflict(tuple(conflict.codes), conflict.expected, conflict.got) if conflict.exists else None


def chain_pointer(chain: Optional[Chain], m: Memory) -> Any:
    """Of a site's chain, or NULL."""
    return None if chain is None else ctypes.pointer(of_type(chain, Chain, "chain")._c(m))
