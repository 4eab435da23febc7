# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library behind the package: loading it, calling it, and what it refuses."""
from __future__ import annotations

import ctypes
import itertools
import operator
import os
import pathlib
from typing import Any, Optional

from . import _abi


def _load() -> ctypes.CDLL:
    path = os.environ.get("DYTQ_LIBRARY") or str(pathlib.Path(__file__).with_name("libdytq.so"))
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"dytq: {error}. `pip install` builds the library; from a source tree, set DYTQ_LIBRARY to the libdytq.so "
                          "that CMake builds (-DDYTQ_BUILD_C=ON)") from None
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is not None:  # an older library may lack a newer function
            function.restype = result
            function.argtypes = arguments
    if library.dytq_abi_version() != _abi.ABI_VERSION:
        raise ImportError(f"dytq: {path} has ABI {library.dytq_abi_version()}, this package is for {_abi.ABI_VERSION}")
    return library


library = _load()


def _list(which: int) -> tuple[str, ...]:
    names = []
    while (name := library.dytq_name(which, len(names))) is not None:
        names.append(name.decode())
    return tuple(names)


STATUSES = _list(_abi.NAMES_STATUS)
REASONS = _list(_abi.NAMES_REASON)
CLASSES = _list(_abi.NAMES_CLASS)
TEXTS = _list(_abi.NAMES_TEXT)
PLACES = _list(_abi.NAMES_AT)

_numbers: dict[int, dict[str, int]] = {}


def names(which: int) -> dict[str, int]:
    """The names of a list, and their numbers."""
    if which not in _numbers:
        _numbers[which] = {name: number for number, name in enumerate(_list(which))}
    return _numbers[which]


def number(which: int, name: str, what: str) -> int:
    """The number of a name. Raises ValueError with the names that there are."""
    known = names(which)
    try:
        return known[name]
    except KeyError:
        raise ValueError(f"{what} {name!r} is none of {', '.join(known)}") from None


class Rejected(ValueError):
    """There is no right answer, and this is why. What does not apply is None.

    Attributes:
        reason: the name of the reason, such as "not_affine"
        kind: its class: "unpredictable" and "error" are the specification's words; "bad_scale", "bad_argument", "undecided", "no_fold"
        at: the operator or argument, such as "gamma_out"
        step: number of the chain's step
        convolution: number of the convolution, where several are given
        channel: input channel
        output_channel: output channel of the convolution
        tap: kernel position, flat
        axis: of a view; of a convolution's geometry: 0 depth, 1 height, 2 width
        code: the code (or value) at which it happens
        expected: the value asked for, or the limit that was crossed
        got: the value met instead
        least: what nothing could go below: above `expected`, it is proof that nothing does
    str() has all of it in one line.
    """

    _numbers = ("step", "convolution", "channel", "output_channel", "tap", "axis", "code", "expected", "got", "least")

    reason: str
    kind: str
    at: Optional[str]
    step: Optional[int]
    convolution: Optional[int]
    channel: Optional[int]
    output_channel: Optional[int]
    tap: Optional[int]
    axis: Optional[int]
    code: Optional[int]
    expected: Optional[int]
    got: Optional[int]
    least: Optional[int]

    def __init__(self, reason: str, *, at: Optional[str] = None, text: Optional[str] = None, **where: Optional[int]):
        self.reason = reason
        self.kind = CLASSES[REASONS.index(reason)]
        self.at = at
        for name in self._numbers:
            setattr(self, name, where.pop(name, None))
        if where:
            raise TypeError(f"Rejected has no {', '.join(where)}")
        super().__init__(text if text is not None else TEXTS[REASONS.index(reason)])

    @property
    def text(self) -> str:
        """What the reason means, in one line."""
        return TEXTS[REASONS.index(self.reason)]


_SIZE = ctypes.sizeof(_abi.dytq_rejection)


def raise_for(status: int, why: _abi.dytq_rejection) -> None:
    """The exception of a call that was not answered."""
    buffer = ctypes.create_string_buffer(400)
    library.dytq_text(status, why, buffer, len(buffer))
    text = buffer.value.decode()
    if status == _abi.REJECTED:
        where = {name: getattr(why, name) for name in Rejected._numbers}
        raise Rejected(REASONS[why.reason], at=PLACES[why.at] if why.at else None, text=text,
                       **{name: value for name, value in where.items() if value != -(1 << 63)})
    raise (TypeError if status == _abi.BAD_VIEW else RuntimeError)(text)


_RANGES = {ctypes.c_int32: (-(1 << 31), (1 << 31) - 1), ctypes.c_int64: (-(1 << 63), (1 << 63) - 1), ctypes.c_uint64: (0, (1 << 64) - 1)}


def of_type(value: Any, kind: type, what: str) -> Any:
    """An argument that must be an object of the package."""
    if not isinstance(value, kind):
        raise TypeError(f"{what}: {kind.__name__} is taken, got {type(value).__name__}")
    return value


def fields_of(value: Any, what: str, *wanted: str) -> list[Any]:
    """Attributes of an object that may be the caller's own."""
    missing = [name for name in wanted if not hasattr(value, name)]
    if missing:
        raise TypeError(f"{what}: {type(value).__name__} has no {', '.join(missing)}")
    return [getattr(value, name) for name in wanted]


def _checked(value: Any, kind: Any, what: str) -> Any:
    """An integer that fits, since ctypes would cut it off."""
    limits = _RANGES.get(kind)
    if limits is None:
        return value
    value = operator.index(value)
    if not limits[0] <= value <= limits[1]:
        raise OverflowError(f"{what}: {value} is outside [{limits[0]}, {limits[1]}]")
    return value


def struct(kind: Any, *values: Any) -> Any:
    """A struct of the library with its first fields; `size` is not among the values."""
    fields = kind._fields_
    made = kind()
    if fields[0][0] == "size":
        made.size = ctypes.sizeof(kind)
        fields = fields[1:]
    for (name, field_kind), value in zip(fields, values):
        setattr(made, name, _checked(value, field_kind, name))
    return made


def call(name: str, *arguments: Any) -> None:
    """Calls dytq_<name>(arguments..., why). Raises Rejected."""
    why = _abi.dytq_rejection(_SIZE)
    function = getattr(library, "dytq_" + name)
    try:
        status = function(*map(_checked, arguments, function.argtypes, itertools.repeat(name)), why)
    except ctypes.ArgumentError as error:  # no number where one is taken
        raise TypeError(f"{name}: {error}") from None
    if status != _abi.OK:
        raise_for(status, why)
