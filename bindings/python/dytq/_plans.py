# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of chains."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Iterable, NamedTuple, Optional, Sequence

from . import _abi
from ._buffers import Array, Memory, empty, shape_of
from ._chains import Chain, Step
from ._folds import Convolution, Fold, fold_answer
from ._library import Rejected, call, names, number, of_type, raise_for, struct
from ._scalars import Range, Rescale


@dataclasses.dataclass
class Target:
    """What operators cost on a target, and which it has.

    costs: "tosa" (every operator is one pass), "tosa_fused_rescale" (a depthwise and the RESCALE after it are one), "cmsis_nn".
    cost: of single operations, in place of 1. byte_cost: of a byte of constants; 0: bytes decide among equals only.
    """

    costs: str = "tosa"
    channel_tables: bool = False
    channel_rescale: bool = True
    depthwise: bool = True
    moves_input_zp: bool = True
    max_slices: int = 0
    byte_cost: int = 0
    cost: Optional[dict[str, int]] = None

    def _c(self) -> _abi.dytq_plan_target:
        kinds = {"tosa": _abi.COSTS_TOSA, "tosa_fused_rescale": _abi.COSTS_TOSA_FUSED_RESCALE, "cmsis_nn": _abi.COSTS_CMSIS_NN}
        if self.costs not in kinds:
            raise ValueError(f"costs {self.costs!r} is none of {', '.join(kinds)}")
        target = struct(_abi.dytq_plan_target, self.byte_cost, self.max_slices, kinds[self.costs], self.channel_tables, not self.channel_rescale,
                        not self.depthwise, not self.moves_input_zp, self.cost is not None)
        if self.cost is not None:
            for i in range(len(target.cost)):
                target.cost[i] = 1
            for name, value in dict(self.cost).items():
                target.cost[number(_abi.NAMES_OPERATION, name, "operation")] = value
            target.depthwise_rescale = target.cost[_abi.OPERATION_DEPTHWISE] + target.cost[_abi.OPERATION_RESCALE]
            target.slice = 1
        return target


class Stretch(NamedTuple):
    """The operators between two cuts become a form: keep, drop, into_conv, into_table, channel_rescale, line, into_table_and_conv,
    channel_tables, sliced_tables. steps: of the new chain, first and one past the last. beside: a branch, for somebody else's sake.
    max_difference: codes that the worst result is off; differ: codes of all channels whose result is off. Both are 0 where it is exact."""

    start: int
    end: int
    form: str
    steps: Range
    beside: bool
    max_difference: int = 0
    differ: int = 0


class Plan(NamedTuple):
    """The cheapest form of a chain, exact unless plan_chain was given a tolerance.

    stretches: of the chain in order, then the branches. steps: the new operators. reads: the cut whose codes the readers read.
    folds: of each reader, its new constants; empty if they stay as they are. offers: of each form, None, or the Rejected that says why it is not there.
    """

    stretches: tuple[Stretch, ...]
    steps: tuple[Step, ...]
    reads: int
    operators_before: int
    operators: int
    cost_before: int
    cost: int
    bytes_before: int
    bytes: int
    assumes_domain: bool
    folds: tuple[Fold, ...]
    offers: dict[str, Optional[Rejected]]

    def __str__(self) -> str:
        lines = []
        for s in self.stretches:
            new = ", ".join(step.op.upper() for step in self.steps[slice(*s.steps)]) or "nothing"
            lines.append(f"{'beside ' if s.beside else ''}steps {s.start} to {s.end - 1}: {s.form}" + ("" if s.form == "keep" else f": {new}")
                         + (f", at most {s.max_difference} off, {s.differ} codes are" if s.max_difference else ""))
        lines.append(f"operators {self.operators_before} -> {self.operators}, cost {self.cost_before} -> {self.cost}, "
                     f"bytes of constants {self.bytes_before} -> {self.bytes}")
        lines += [f"not {form}: {why}" for form, why in self.offers.items() if why is not None]
        return "\n".join(lines)


def _array(view: _abi.dytq_view) -> Optional[Array]:
    """A copy of what a step of the library refers to."""
    if not view.rank:
        return None
    kind, c = {_abi.INT8: ("int8", ctypes.c_int8), _abi.INT32: ("int32", ctypes.c_int32)}[view.type]
    extents, strides = view.extents[:view.rank], view.strides[:view.rank]
    made = empty(kind, *extents)
    size = ctypes.sizeof(c)
    if view.rank == 1:
        for i in range(extents[0]):
            made[i] = c.from_address(view.data + i * strides[0] * size).value
    else:
        for k in range(extents[0]):
            for i in range(extents[1]):
                made[k, i] = c.from_address(view.data + (k * strides[0] + i * strides[1]) * size).value
    return made


def _step(s: _abi.dytq_chain_step) -> Step:
    def name(which: int, value: int) -> str:
        return next(n for n, v in names(which).items() if v == value)

    r = s.scale
    scale = Rescale(r.multiplier, r.shift, r.input_zp, r.output_zp, (r.out.lo, r.out.hi), name(_abi.NAMES_ROUNDING, r.rounding), r.left_shift)
    return Step(name(_abi.NAMES_OPERATION, s.op), scale, bool(s.wide), _array(s.multiplier), _array(s.shift), _array(s.constants), _array(s.codes),
                _array(s.table), _array(s.tables), s.constant, (s.range.lo, s.range.hi), s.input_zp, s.output_zp, bool(s.round), bool(s.sliced))


def _bits(which: Iterable[int], count: int, what: str) -> int:
    """Numbers below a count as bits. One that there is not would protect nothing, in silence."""
    bits = 0
    for k in which:
        if not 0 <= k < count:
            raise ValueError(f"{what}: {k} is none of 0 to {count - 1}")
        bits |= 1 << k
    return bits


def _output(m: Memory, kind: Any, number_of_type: int, count: int) -> _abi.dytq_output:
    memory = m.keep((kind * max(1, count))())
    return _abi.dytq_output(ctypes.addressof(memory), number_of_type, 1, (ctypes.c_int64 * 5)(count), (ctypes.c_int64 * 5)(1))


def plan_chain(chain: Chain, *, target: Optional[Target] = None, readers: Sequence[Convolution] = (), fixed: Iterable[int] = (),
               observed: Iterable[int] = (), branches: bool = True, tolerance: int = 0) -> Plan:
    """The cheapest form of a chain for a target, made. It is exact, unless there is a tolerance.

    readers: the convolutions that read the chain's result; the constants of those in `fixed` must stay.
    observed: cuts (cut k is the result of step k - 1, 0 the entrance) that somebody else reads, which must stay as they are; with `branches` an
        observed result may be computed beside the new chain.
    tolerance: codes that the result may be off, if that costs less; the stretches say how much it is.
    Every channel's code at the end is, without a tolerance, the chain's own for every code of the domain, and nothing that TOSA calls unpredictable is computed.
    Raises Rejected: what is wrong with the chain (step, channel, code), the readers' geometry or the arguments. What a form lacks is in its offer.
    """
    plan = struct(_abi.dytq_plan)
    with Memory() as m:
        c = of_type(chain, Chain, "chain")._c(m)
        sizes = [ctypes.c_int64() for _ in range(3)]
        call("plan_workspace_sizes", c, *sizes)
        workspace = struct(_abi.dytq_plan_workspace, _output(m, ctypes.c_int8, _abi.INT8, sizes[0].value),
                           _output(m, ctypes.c_int32, _abi.INT32, sizes[1].value), _output(m, ctypes.c_int16, _abi.INT16, sizes[2].value))
        n = len(readers)
        convs = [m.keep(of_type(reader, Convolution, "readers")._c(m)) for reader in readers]
        uses = struct(_abi.dytq_chain_uses, (ctypes.POINTER(_abi.dytq_conv) * n)(*map(ctypes.pointer, convs)), n,
                      _bits(fixed, n, "fixed"), _bits(observed, len(chain.steps) + 1, "observed"), not branches, tolerance)
        costs = (Target() if target is None else of_type(target, Target, "target"))._c()
        stretches = (_abi.dytq_stretch * 64)(*(struct(_abi.dytq_stretch) for _ in range(64)))
        forms = names(_abi.NAMES_FORM)
        reasons = (_abi.dytq_rejection * len(forms))(*(struct(_abi.dytq_rejection) for _ in forms))
        call("plan_chain", c, costs, uses, workspace, plan, stretches, reasons)
        steps = (_abi.dytq_chain_step * max(1, plan.operators))(*(struct(_abi.dytq_chain_step) for _ in range(plan.operators)))
        folds = [struct(_abi.dytq_fold) for _ in readers]
        constants = [(empty("int8", *shape_of(r.weight)), empty("int32", r.output_channels)) for r in readers] if plan.folds else []
        to = struct(_abi.dytq_plan_outputs, steps, plan.operators, _output(m, ctypes.c_int32, _abi.INT32, plan.numbers),
                    _output(m, ctypes.c_int8, _abi.INT8, plan.codes))
        if plan.folds:
            outputs = [m.keep(struct(_abi.dytq_fold_outputs, m.output(w, "int8", "weight"), m.output(b, "int32", "bias"))) for w, b in constants]
            to.readers = (ctypes.POINTER(_abi.dytq_fold_outputs) * n)(*map(ctypes.pointer, outputs))
            to.folds = (ctypes.POINTER(_abi.dytq_fold) * n)(*map(ctypes.pointer, folds))
        call("apply_plan", c, costs, uses, workspace, to)
        new_steps = tuple(_step(s) for s in steps[:plan.operators])
    form_names = {value: name for name, value in forms.items()}
    offers: dict[str, Optional[Rejected]] = {}
    for name, value in forms.items():
        try:
            if reasons[value].reason:
                raise_for(_abi.REJECTED, reasons[value])
            offers[name] = None
        except Rejected as why:
            offers[name] = why
    return Plan(tuple(Stretch(s.from_, s.to, form_names[s.form], (s.first, s.first + s.steps), bool(s.beside), s.max_difference,
                              s.differ) for s in stretches[:plan.stretches]),
                new_steps, plan.reads, plan.operators_before, plan.operators, plan.cost_before, plan.cost, plan.bytes_before, plan.bytes,
                bool(plan.assumes_domain),
                tuple(fold_answer(f, w, b) for (w, b), f in zip(constants, folds)), offers)
