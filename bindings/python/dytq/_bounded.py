# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds within a bound: into what follows, and into what comes before."""
from __future__ import annotations

import ctypes
from fractions import Fraction
from typing import Any, NamedTuple, Optional

from . import _abi
from ._buffers import Array, Memory, empty, shape_of
from ._chains import Chain
from ._folds import AffineSite, Convolution
from ._library import call, fields_of, of_type, struct

ANY_TOLERANCE = (1 << 63) - 1


class BoundedFold(NamedTuple):
    """Constants that replace a site and its convolution's, and its RESCALE's, within a proven bound.

    weight int8, bias int32 [O], multiplier, shift int32 [O]: None where it was only asked whether the fold exists. input_zp.
    bound: the largest difference of the output, in its codes; codes differ by at most the next integer. lower_bound: no constants of this
        shape have a smaller one. bounds int64 [O, 6]: of each output channel bound, lower bound and root mean square, each n and s of n / 2^s.
    exact: every code of the output is the original's.
    """

    weight: Optional[Array]
    bias: Optional[Array]
    multiplier: Optional[Array]
    shift: Optional[Array]
    input_zp: int
    bound: Fraction
    lower_bound: Fraction
    bounds: Array
    exact: bool


def _bounded(asks: bool, site: AffineSite, conv: Convolution, multiplier: Array, shift: Array, tolerance: Optional[int],
             histogram: Optional[Array]) -> BoundedFold:
    of_type(site, AffineSite, "site")
    outputs = of_type(conv, Convolution, "conv").output_channels
    made = [None] * 4 if asks else [empty("int8", *shape_of(conv.weight)), *(empty("int32", outputs) for _ in range(3))]
    bounds = empty("int64", outputs, 6)
    done = struct(_abi.dytq_bounded_fold)
    with Memory() as m:
        c = conv._c(m)
        count = ctypes.c_int64()
        call("bounded_workspace", c, count)
        memory = m.keep((ctypes.c_int64 * max(1, count.value))())
        workspace = _abi.dytq_output(ctypes.addressof(memory), _abi.INT64, 1, (ctypes.c_int64 * 5)(count.value), (ctypes.c_int64 * 5)(1))
        of_channels = m.output(bounds, "int64", "bounds")
        to = (workspace, of_channels) if asks else (
            struct(_abi.dytq_bounded_outputs, m.output(made[0], "int8", "weight"), *(m.output(v, "int32", "output") for v in made[1:]),
                   of_channels, workspace),)
        call("prove_bounded_fold" if asks else "fold_bounded", site._c(m), c, m.view(multiplier, "int32", "multiplier"),
             m.view(shift, "int32", "shift"), ANY_TOLERANCE if tolerance is None else tolerance,
             None if histogram is None else m.view(histogram, "uint32", "histogram"), *to, done)
    return BoundedFold(*made, done.input_zp, Fraction(done.bound[0], 1 << done.bound[1]), Fraction(done.lower_bound[0], 1 << done.lower_bound[1]),
                       bounds, bool(done.exact))


def fold_bounded(site: AffineSite, conv: Convolution, multiplier: Array, shift: Array, *, tolerance: Optional[int] = None,
                 histogram: Optional[Array] = None) -> BoundedFold:
    """Folds gamma and beta into the convolution and its RESCALE, with the largest difference that can come of it.

    multiplier, shift: of the convolution's own RESCALE to int8, int32 [1] or [O].
    tolerance: in codes of the output; beyond it the fold is refused. None: whatever it takes.
    histogram: uint32 [C, 256], how often channel c of the TABLE has code i - 128; for the root mean square alone.
    Raises Rejected: beyond_tolerance: `got` is what it takes and `least` what nothing could go below, in codes rounded up; and those of
        fold_affine_into_conv but not_affine, weight_overflow and padding.
    """
    return _bounded(False, site, conv, multiplier, shift, tolerance, histogram)


def prove_bounded_fold(site: AffineSite, conv: Convolution, multiplier: Array, shift: Array, *, tolerance: Optional[int] = None,
                       histogram: Optional[Array] = None) -> BoundedFold:
    """Is there such a fold? The answer of fold_bounded, in every field, but without weight, bias, multiplier and shift."""
    return _bounded(True, site, conv, multiplier, shift, tolerance, histogram)


def check_bounded(site: AffineSite, conv: Convolution, multiplier: Array, shift: Array, fold: Any, *, bounds: Optional[Array] = None) -> Fraction:
    """The judge: by how many codes of the output can the claimed constants differ? Exact; whoever made them.

    fold: a BoundedFold, or anything with its weight, bias, multiplier, shift and input_zp.
    bounds: int64 [O, 2] to write to: n and s of n / 2^s of each output channel. The result is the largest.
    """
    bound = (ctypes.c_int64 * 2)()
    of_type(site, AffineSite, "site"), of_type(conv, Convolution, "conv")
    *made, input_zp = fields_of(fold, "fold", "weight", "bias", "multiplier", "shift", "input_zp")
    with Memory() as m:
        claim = struct(_abi.dytq_bounded_claim, *(m.view(value, "int32" if i else "int8", "fold") for i, value in enumerate(made)), input_zp, 0,
                       m.output(bounds, "int64", "bounds"))
        call("check_bounded", site._c(m), conv._c(m), m.view(multiplier, "int32", "multiplier"), m.view(shift, "int32", "shift"), claim, bound)
    return Fraction(bound[0], 1 << bound[1])


class ProducerFold(NamedTuple):
    """Constants that replace those of a RESCALE and of its convolution's bias, and the chain after them: int32 [O]; None where it was only asked
    whether the fold exists.

    output_zp: of the codes now. bound: the largest difference of codes, 0 if every code is the original's; differences int32 [O]: of each channel.
    assumes_accumulators: it holds for the accumulators that the caller named.
    """

    bias: Optional[Array]
    multiplier: Optional[Array]
    shift: Optional[Array]
    output_zp: int
    bound: int
    differences: Array
    assumes_accumulators: bool

    @property
    def exact(self) -> bool:
        return self.bound == 0


def _producer(asks: bool, chain: Chain, conv: Convolution, multiplier: Array, shift: Array, output_zp: int, tolerance: int,
              accumulators: Optional[Array]) -> ProducerFold:
    of_type(chain, Chain, "chain"), of_type(conv, Convolution, "conv")
    made = [None] * 3 if asks else [empty("int32", conv.output_channels) for _ in range(3)]
    differences = empty("int32", conv.output_channels)
    done = struct(_abi.dytq_producer_fold)
    with Memory() as m:
        of_channels = m.output(differences, "int32", "differences")
        to = of_channels if asks else struct(_abi.dytq_producer_outputs, *(m.output(v, "int32", "output") for v in made), of_channels)
        call("prove_producer_fold" if asks else "fold_into_producer", chain._c(m), conv._c(m), m.view(multiplier, "int32", "multiplier"),
             m.view(shift, "int32", "shift"), output_zp, tolerance,
             None if accumulators is None else m.view(accumulators, "int64", "accumulators"), to, done)
    return ProducerFold(*made, done.output_zp, done.bound, differences, bool(done.assumes_accumulators))


def fold_into_producer(chain: Chain, conv: Convolution, multiplier: Array, shift: Array, output_zp: int, *, tolerance: int = 0,
                       accumulators: Optional[Array] = None) -> ProducerFold:
    """Folds a chain (LayerScale, batch normalization) into the RESCALE before it and into its convolution's bias.

    Formula: chain(clamp(acc * multiplier / 2^shift + output_zp)) becomes clamp((acc + bias' - bias) * multiplier' / 2^shift' + output_zp').
    multiplier, shift: of the convolution's own RESCALE to int8, int32 [1] or [O]; output_zp: of its codes, which is the chain's zero_point.
    tolerance: in codes of the chain's end. accumulators: int64 [1, 2] or [O, 2], the least and the greatest that can occur; None: all that the
        weights allow.
    Raises Rejected: beyond_tolerance: `got` is what the worst output channel takes, `least` what no line goes below; channel_count;
        zero_point_mismatch; accumulator_overflow; and what is wrong with the chain or the convolution.
    """
    return _producer(False, chain, conv, multiplier, shift, output_zp, tolerance, accumulators)


def prove_producer_fold(chain: Chain, conv: Convolution, multiplier: Array, shift: Array, output_zp: int, *, tolerance: int = 0,
                        accumulators: Optional[Array] = None) -> ProducerFold:
    """Is there such a fold? The answer of fold_into_producer, in every field, but without bias, multiplier and shift."""
    return _producer(True, chain, conv, multiplier, shift, output_zp, tolerance, accumulators)
