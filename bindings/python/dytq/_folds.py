# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gamma and beta into convolutions, the judge, and the other exact forms of a site."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union

from . import _abi
from ._buffers import Array, Memory, empty, shape_of
from ._library import call, fields_of, names, number, of_type, struct
from ._chains import Chain, Step, chain_pointer, set_codes
from ._scalars import Range, Rescale, range_of


def _first(value: Array) -> int:
    """The first extent; that of a single number is none of the library's, which says so."""
    return next(iter(shape_of(value)), 0)


@dataclasses.dataclass
class AffineSite:
    """The chain that follows a TABLE, for each channel c:

        m = gamma_out(wrap32(table_step(x) * gamma_step(gamma[c])))     y = add_out(add_in(m) + beta_step(beta[c]))

    table: int8 [256]. gamma, beta: int8 codes [C], or None: that half, its RESCALEs included, does not exist.
    table_zp: zero point of the table's output. reachable: the codes that can occur at the TABLE's input; None: all.
    chain: in place of gamma and beta: other steps that follow the TABLE. maps: the same, known by its codes: int8 [C, 256], what channel c
        makes of code i - 128, with maps_zp the zero point of the codes that it makes.
    """

    table: Array
    table_zp: int = 0
    gamma: Optional[Array] = None
    beta: Optional[Array] = None
    table_step: Rescale = dataclasses.field(default_factory=Rescale)
    gamma_step: Rescale = dataclasses.field(default_factory=Rescale)
    gamma_out: Rescale = dataclasses.field(default_factory=Rescale)
    add_in: Rescale = dataclasses.field(default_factory=Rescale)
    beta_step: Rescale = dataclasses.field(default_factory=Rescale)
    add_out: Rescale = dataclasses.field(default_factory=Rescale)
    reachable: Optional[Iterable[int]] = None
    chain: Optional[Chain] = None
    maps: Optional[Array] = None
    maps_zp: int = 0

    def _c(self, m: Memory) -> _abi.dytq_affine_site:
        site = struct(_abi.dytq_affine_site, m.view(self.table, "int8", "table"),
                                     m.view(self.gamma, "int8", "gamma"), m.view(self.beta, "int8", "beta"), self.table_zp)
        if self.reachable is not None:
            site.has_reachable = 1
            set_codes(site.reachable, self.reachable, "reachable")
        chain = self._chain()
        if chain is not None:
            site.chain = chain_pointer(chain, m)
        for name in ("table_step", "gamma_step", "gamma_out", "add_in", "beta_step", "add_out"):
            setattr(site, name, of_type(getattr(self, name), Rescale, name)._c())
        return site

    def _chain(self) -> Optional[Chain]:
        if self.maps is None:
            return self.chain
        if self.chain is not None:
            raise ValueError("a site has a chain or maps, not both")
        return Chain([Step("channel_tables", tables=self.maps, output_zp=self.maps_zp)], _first(self.maps))

    def _channels(self) -> int:
        chain = self._chain()
        if chain is not None:
            return of_type(chain, Chain, "chain").channels
        return next((_first(codes) for codes in (self.gamma, self.beta) if codes is not None), 0)


class Axis(NamedTuple):
    """One spatial axis of a convolution: extent of its input (0: any, where there is no border), stride, dilation, padding
    before and after. Of a transposed convolution the padding is TOSA's out_pad of the output."""

    input: int = 0
    stride: int = 1
    dilation: int = 1
    before: int = 0
    after: int = 0


# Where a layout has output channels, and input channels of a group.
_CHANNEL_AXES = {"odhwi": (0, 4), "ohwi": (0, 3), "oihw": (0, 1), "hwio": (3, 2), "iohw": (1, 0), "oi": (0, 1), "owi": (0, 2), "oiw": (0, 1),
                 "oidhw": (0, 1)}


@dataclasses.dataclass
class Convolution:
    """A convolution with constant weights: bias + sum over taps inside the input of (x - input_zp) * (weight - weight_zp).

    weight: int8, as `layout` says: ohwi (TOSA), oihw (PyTorch), hwio, hwim (TOSA depthwise: [H, W, C, M], groups C), iohw (PyTorch's
        ConvTranspose2d), oi (linear), owi, oiw (1-D), odhwi, oidhw (3-D).
    bias: int32 [O] or [1], or None. weight_zp: int8 [O] or [1], an int, or None for 0.
    groups: of input and output channels. input_zp: zero point of the codes that it reads.
    weight_range: a fold writes no weight outside it. transposed: TOSA TRANSPOSE_CONV2D.
    axes: up to three, the last being width: [Axis(...height...), Axis(...width...)]. One that is not given suits a kernel of 1 and no other:
        padding that nobody mentioned is no padding of 0.
    """

    weight: Array
    layout: str = "ohwi"
    bias: Optional[Array] = None
    weight_zp: Union[Array, int, None] = None
    groups: int = 1
    input_zp: int = 0
    weight_range: Range = (-128, 127)
    transposed: bool = False
    axes: Sequence[Union[Axis, tuple[int, ...]]] = ()

    def _c(self, m: Memory) -> _abi.dytq_conv:
        weight_zp = [self.weight_zp] if isinstance(self.weight_zp, int) else self.weight_zp
        conv = struct(_abi.dytq_conv, m.view(self.weight, "int8", "weight"), m.view(weight_zp, "int8", "weight_zp"),
                              m.view(self.bias, "int32", "bias"), self.groups, number(_abi.NAMES_LAYOUT, self.layout, "layout"),
                              self.transposed, self.input_zp, range_of(self.weight_range))
        if len(self.axes) > 3:
            raise ValueError(f"axes: at most 3, got {len(self.axes)}")
        for at, axis in enumerate(self.axes, 3 - len(self.axes)):
            conv.axes[at] = struct(_abi.dytq_axis, *Axis(*axis))
        return conv

    @property
    def output_channels(self) -> int:
        """O."""
        shape = shape_of(self.weight)
        if self.layout == "hwim":
            return shape[2] * shape[3] if len(shape) == 4 else 0
        at = self._channel_axes()[0]
        return shape[at] if at < len(shape) else 0

    @property
    def input_channels(self) -> int:
        """Input channels of all groups."""
        shape = shape_of(self.weight)
        if self.layout == "hwim":
            return self.groups
        at = self._channel_axes()[1]
        return shape[at] * self.groups if at < len(shape) else 0

    def _channel_axes(self) -> tuple[int, int]:
        number(_abi.NAMES_LAYOUT, self.layout, "layout")  # a ValueError with the names that there are
        return _CHANNEL_AXES[self.layout]

    def __call__(self, x: Array, out: Optional[Array] = None) -> Array:
        """The accumulators, int32 [N, H, W, O] (or with D): x int8 [N, H, W, C]. Raises Rejected: accumulator_overflow."""
        shape = shape_of(x)
        if out is None:
            if not shape:
                raise TypeError("x: 1 to 5 axes are taken, got 0")
            extents = [self._outputs(axis, extent) for axis, extent in zip(self._spatial(), shape[1:-1])]
            out = empty("int32", shape[0], *extents, self.output_channels)
        with Memory() as m:
            conv = self._c(m)
            for at, extent in enumerate(shape[1:-1], 3 - len(shape[1:-1])):
                if 0 <= at < 3 and conv.axes[at].input == 0 and conv.axes[at].stride != 0:
                    conv.axes[at].input = extent
            call("convolve", conv, m.view(x, "int8", "x"), m.output(out, "int32", "out"))
        return out

    def _spatial(self) -> list[tuple[Axis, int]]:
        """The axes, with the kernel's extents."""
        shape = shape_of(self.weight)
        kernel = [extent for name, extent in zip(self.layout, shape) if name in "dhw"]
        axes = [Axis(*axis) for axis in self.axes]
        count = max(len(kernel), 2)
        kernel = [1] * (count - len(kernel)) + kernel
        axes = ([Axis()] * (count - len(axes)) + axes)[-count:]
        return list(zip(axes, kernel))

    def _outputs(self, axis_and_kernel: tuple[Axis, int], extent: int) -> int:
        axis, kernel = axis_and_kernel
        if self.transposed:
            return max(0, (extent - 1) * axis.stride + axis.before + axis.after + kernel)
        return max(0, (extent - 1 + axis.before + axis.after - (kernel - 1) * axis.dilation) // max(axis.stride, 1) + 1)


class Fold(NamedTuple):
    """Constants that replace a site and its convolution's, and what was found while they were made.

    weight: int8, as the convolution's. bias: int32 [O]. table: int8 [256], of a fold that replaces the TABLE too. All None where it was only asked
        whether the fold exists; every other field is then the same.
    input_zp: the convolution's new one. weights_changed: how many; bias_changed: does one differ?
    keeps_gamma: the folded convolution reads gamma_out's code, not the TABLE's.
    first_code: the smallest code that the convolution can read. multiple: of the direction that all channels have in common, in the new TABLE.
        Each is None where the other one is there.
    """

    weight: Optional[Array]
    bias: Optional[Array]
    input_zp: int
    weights_changed: int
    bias_changed: bool
    table: Optional[Array] = None
    keeps_gamma: bool = False
    first_code: Optional[int] = None
    multiple: Optional[int] = None

    @property
    def constants_changed(self) -> bool:
        """Are weight and bias other than the original's? If not, a framework can keep its own, shared ones."""
        return self.weights_changed != 0 or self.bias_changed


def _workspace(m: Memory, conv: Convolution) -> _abi.dytq_output:
    channels = of_type(conv, Convolution, "conv").input_channels
    count = 4 * channels if 0 < conv.groups <= max(1, conv.output_channels) else 0  # else it is refused, whatever it would take
    lines = m.keep((ctypes.c_int16 * max(1, count))())
    return _abi.dytq_output(ctypes.addressof(lines), _abi.INT16, 1, (ctypes.c_int64 * 5)(count), (ctypes.c_int64 * 5)(1))


def _outputs(m: Memory, conv: Convolution, weight: Optional[Array], bias: Optional[Array]) -> tuple[_abi.dytq_fold_outputs, Array, Array]:
    weight = empty("int8", *shape_of(conv.weight)) if weight is None else weight
    bias = empty("int32", conv.output_channels) if bias is None else bias
    return struct(_abi.dytq_fold_outputs, m.output(weight, "int8", "weight"), m.output(bias, "int32", "bias"), _workspace(m, conv)), weight, bias


def fold_answer(done: Any, weight: Optional[Array], bias: Optional[Array], table: Optional[Array] = None, keeps_gamma: bool = False) -> Fold:
    """What the library found, beside the constants that it wrote."""
    return Fold(weight, bias, done.input_zp, done.weights_changed, bool(done.bias_changed), table, keeps_gamma,
                getattr(done, "first_code", None), getattr(done, "multiple", None))


def _fold(name: str, site: AffineSite, conv: Convolution, weight: Optional[Array], bias: Optional[Array], table: Optional[Array] = None) -> Fold:
    done = struct(_abi.dytq_fold if table is None else _abi.dytq_table_and_conv_fold)
    of_type(conv, Convolution, "conv")
    with Memory() as m:
        outputs, weight, bias = _outputs(m, conv, weight, bias)
        extra = () if table is None else (m.output(table, "int8", "table"),)
        call(name, of_type(site, AffineSite, "site")._c(m), conv._c(m), outputs, *extra, done)
    return fold_answer(done, weight, bias, table, name == "fold_beta_into_conv")


def _prove(name: str, site: AffineSite, conv: Convolution) -> Fold:
    done, extra = (struct(_abi.dytq_table_and_conv_fold), (None,)) if name == "prove_table_and_conv_fold" else (struct(_abi.dytq_fold), ())
    with Memory() as m:
        call(name, of_type(site, AffineSite, "site")._c(m), of_type(conv, Convolution, "conv")._c(m), _workspace(m, conv), *extra, done)
    return fold_answer(done, None, None, None, name == "prove_beta_fold")


def fold_affine_into_conv(site: AffineSite, conv: Convolution, *, weight: Optional[Array] = None, bias: Optional[Array] = None) -> Fold:
    """Folds gamma and beta into the weights, the bias and the input zero point of the convolution that reads them.

    Every accumulator of every output position is the same, for every code that the TABLE can emit; or it is refused.
    weight, bias: where to write, in the shape and layout of the convolution's (bias [O]); they may be the convolution's own. Else new memory.
    Raises Rejected: not_affine (channel, code, expected, got); weight_overflow; padding; bias_overflow; accumulator_overflow;
        zero_point_mismatch; channel_count; and what is wrong with the arguments. A refusal leaves weight and bias untouched.
    """
    return _fold("fold_affine_into_conv", site, conv, weight, bias)


def prove_affine_fold(site: AffineSite, conv: Convolution) -> Fold:
    """Is there such a fold? The answer of fold_affine_into_conv, in every field, but without weight and bias: nothing is written."""
    return _prove("prove_affine_fold", site, conv)


def fold_affine_into_convs(site: AffineSite, convs: Sequence[Convolution], *, in_place: bool = False) -> list[Fold]:
    """fold_affine_into_conv for several convolutions that read one site (at most 32): all fold, or none. Each gets an input zero point of its own.

    in_place: writes to the convolutions' own weights and biases, which must have an entry for each output channel.
    Raises Rejected: as fold_affine_into_conv, with the number of the convolution.
    """
    for conv in convs:
        of_type(conv, Convolution, "convs")
    with Memory() as m:
        done = [struct(_abi.dytq_fold) for _ in convs]
        outputs = [_outputs(m, c, c.weight if in_place else None, c.bias if in_place else None) for c in convs]
        n = len(convs)
        call("fold_affine_into_convs", of_type(site, AffineSite, "site")._c(m), n,
             (ctypes.POINTER(_abi.dytq_conv) * n)(*(ctypes.pointer(c._c(m)) for c in convs)),
             (ctypes.POINTER(_abi.dytq_fold_outputs) * n)(*(ctypes.pointer(o[0]) for o in outputs)),
             (ctypes.POINTER(_abi.dytq_fold) * n)(*map(ctypes.pointer, done)))
    return [fold_answer(d, o[1], o[2]) for o, d in zip(outputs, done)]


def fold_beta_into_conv(site: AffineSite, conv: Convolution, *, weight: Optional[Array] = None, bias: Optional[Array] = None) -> Fold:
    """Folds beta alone; gamma stays, and the convolution reads its result. Otherwise as fold_affine_into_conv; Raises also no_beta."""
    return _fold("fold_beta_into_conv", site, conv, weight, bias)


def prove_beta_fold(site: AffineSite, conv: Convolution) -> Fold:
    """Is there such a fold? The answer of fold_beta_into_conv, in every field, but without weight and bias: nothing is written."""
    return _prove("prove_beta_fold", site, conv)


def fold_affine_into_table_and_conv(site: AffineSite, conv: Convolution, *, weight: Optional[Array] = None, bias: Optional[Array] = None) -> Fold:
    """Folds gamma and beta into a new TABLE (int8 [256], in the result) and the convolution together.

    Raises Rejected: not_parallel, and those of fold_affine_into_conv but not_affine.
    """
    return _fold("fold_affine_into_table_and_conv", site, conv, weight, bias, empty("int8", 256))


def prove_table_and_conv_fold(site: AffineSite, conv: Convolution) -> Fold:
    """Is there such a fold? The answer of fold_affine_into_table_and_conv, in every field, but without weight, bias and table."""
    return _prove("prove_table_and_conv_fold", site, conv)


def check_fold(site: AffineSite, conv: Convolution, fold: Fold) -> None:
    """The judge, which does not know how a fold was made: does it give every accumulator of the original? Raises Rejected:
    fold_differs, with the output channel, tap, channel and code."""
    weight, bias, table, input_zp, keeps_gamma = fields_of(fold, "fold", "weight", "bias", "table", "input_zp", "keeps_gamma")
    with Memory() as m:
        claim = struct(_abi.dytq_claim, m.view(weight, "int8", "weight"), m.view(bias, "int32", "bias"), m.view(table, "int8", "table"), input_zp,
                       keeps_gamma)
        call("check_fold", of_type(site, AffineSite, "site")._c(m), of_type(conv, Convolution, "conv")._c(m), claim)


def is_identity(site: AffineSite, half: str = "both") -> None:
    """Does the chain, or one half of it ("gamma", "beta"), return every code that it can meet? Raises Rejected if not: not_identity."""
    with Memory() as m:
        call("is_identity", of_type(site, AffineSite, "site")._c(m), number(_abi.NAMES_HALF, half, "half"))


def fold_affine_into_table(site: AffineSite) -> Array:
    """Folds gamma and beta into the TABLE (int8 [256], the result), where all channels have the same map. Raises Rejected: not_uniform."""
    table = empty("int8", 256)
    with Memory() as m:
        call("fold_affine_into_table", of_type(site, AffineSite, "site")._c(m), m.output(table, "int8", "table"))
    return table


class GammaRescale(NamedTuple):
    """The gamma half as one RESCALE per channel: multiplier, shift int32 [C]; None where it was only asked whether it exists."""

    multiplier: Optional[Array]
    shift: Optional[Array]
    input_zp: int
    output_zp: int
    rounding: str
    out: Range  # narrower than int8, it is a CLAMP after the RESCALE


def _gamma_rescale(name: str, site: AffineSite, *to: Array) -> GammaRescale:
    form = struct(_abi.dytq_gamma_form)
    with Memory() as m:
        call(name, of_type(site, AffineSite, "site")._c(m), *(m.output(v, "int32", "output") for v in to), form)
    rounding = next(name for name, value in names(_abi.NAMES_ROUNDING).items() if value == form.rounding)
    multiplier, shift = to or (None, None)
    return GammaRescale(multiplier, shift, form.input_zp, form.output_zp, rounding, (form.out_lo, form.out_hi))


def gamma_as_rescale(site: AffineSite) -> GammaRescale:
    """The gamma half as one per-channel RESCALE, int8 to int8. Raises Rejected: no_rescale, no_gamma."""
    channels = of_type(site, AffineSite, "site")._channels()
    return _gamma_rescale("gamma_as_rescale", site, empty("int32", channels), empty("int32", channels))


def prove_gamma_as_rescale(site: AffineSite) -> GammaRescale:
    """Is there such a RESCALE? The answer of gamma_as_rescale, but without multiplier and shift."""
    return _gamma_rescale("prove_gamma_as_rescale", site)


class GammaDepthwise(NamedTuple):
    """RESCALE and MUL of the gamma half as a depthwise 1x1 convolution: weight int8 [C]; then the original gamma_out. weight is None where it was only
    asked whether it exists."""

    weight: Optional[Array]
    weight_zp: int
    input_zp: int


def _gamma_depthwise(name: str, site: AffineSite, weight: Optional[Array] = None) -> GammaDepthwise:
    form = struct(_abi.dytq_gamma_form)
    with Memory() as m:
        call(name, of_type(site, AffineSite, "site")._c(m), *(() if weight is None else (m.output(weight, "int8", "weight"),)), form)
    return GammaDepthwise(weight, form.weight_zp, form.input_zp)


def gamma_as_depthwise(site: AffineSite) -> GammaDepthwise:
    """RESCALE and MUL of the gamma half as a depthwise 1x1. Raises Rejected: not_scale_one, no_gamma."""
    return _gamma_depthwise("gamma_as_depthwise", site, empty("int8", of_type(site, AffineSite, "site")._channels()))


def prove_gamma_as_depthwise(site: AffineSite) -> GammaDepthwise:
    """Is there such a convolution? The answer of gamma_as_depthwise, but without weight."""
    return _gamma_depthwise("prove_gamma_as_depthwise", site)


class ChannelTables(NamedTuple):
    """One table for each channel, equal ones once: index int32 [C] into tables int8 [K, 256]."""

    index: Array
    tables: Array

    def lookup(self, x: Array, out: Optional[Array] = None) -> Array:
        """y[n, c, p] = tables[index[c]][x[n, c, p] + 128] for x int8 [N, C, P] (NCHW with H * W in one axis; strides may be any)."""
        out = empty("int8", *shape_of(x)) if out is None else out
        with Memory() as m:
            call("channel_lookup", m.view(x, "int8", "x"), m.output(out, "int8", "out"), m.view(self.index, "int32", "index"),
                 m.view(self.tables, "int8", "tables"))
        return out


def channel_tables(site: AffineSite, *, alpha: Optional[Array] = None, activation: Optional[Rescale] = None,
                   alpha_step: Optional[Rescale] = None, mul_out: Optional[Rescale] = None, channels: int = 0,
                   domain: Optional[Range] = None, function_in: Optional[Range] = None) -> ChannelTables:
    """A whole layer as one table for each channel. Always exact.

    alpha: int8 codes [1] or [C] with their RESCALEs, as in AlphaSite; None: the layer is entered at the TABLE.
    channels: C, where neither gamma, beta nor alpha says it.
    Raises Rejected: channel_count; value_exceeds_shift, value_exceeds_int32, add_overflow: a step on some code.
    """
    with Memory() as m:
        affine = m.keep(of_type(site, AffineSite, "site")._c(m))
        step = Rescale()
        layer = struct(_abi.dytq_layer, ctypes.pointer(affine), m.view(alpha, "int8", "alpha"),
                                *((step if value is None else of_type(value, Rescale, name))._c()
                          for name, value in (("activation", activation), ("alpha_step", alpha_step), ("mul_out", mul_out))), channels,
                                range_of(domain), range_of(function_in))
        count = ctypes.c_int64()
        call("count_channel_tables", layer, count)
        length = site._channels() or (_first(alpha) if alpha is not None and _first(alpha) > 1 else 0) or channels
        index, tables = empty("int32", length), empty("int8", count.value, 256)
        call("channel_tables", layer, m.output(index, "int32", "index"), m.output(tables, "int8", "tables"), count)
    return ChannelTables(index, tables)
