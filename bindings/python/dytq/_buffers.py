# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of other people's memory: anything with the buffer protocol, torch tensors on the CPU, and short lists (copied)."""
from __future__ import annotations

import array
import ctypes
import math
from typing import Any, Optional, Sequence, Union

from . import _abi

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

Array = Any
"""What is taken: bytes, bytearray, array.array, memoryview, numpy arrays, torch tensors on the CPU, and everything else with the
buffer protocol, of any strides and without a copy; and lists of integers, which are copied. What is returned: numpy arrays where
numpy is installed, and memoryviews where it is not."""


class _Buffer(ctypes.Structure):  # Py_buffer
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
                ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", ctypes.c_void_p)]


_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes = [ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int]
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes = [ctypes.POINTER(_Buffer)]
_release.restype = None
_STRIDED_WITH_FORMAT = 0x1C
_WRITABLE = 0x01

TYPES = {"int8": _abi.INT8, "uint8": _abi.UINT8, "int16": _abi.INT16, "uint16": _abi.UINT16, "int32": _abi.INT32, "int64": _abi.INT64, "uint32": _abi.UINT32}
_BYTES = {_abi.INT8: 1, _abi.UINT8: 1, _abi.INT16: 2, _abi.UINT16: 2, _abi.INT32: 4, _abi.INT64: 8, _abi.UINT32: 4}
_NAMES = {number: name for name, number in TYPES.items()}
_CODES = {_abi.INT8: "b", _abi.UINT8: "B", _abi.INT16: "h", _abi.UINT16: "H", _abi.INT32: "i", _abi.INT64: "q",
          _abi.UINT32: "I"}
_FORMATS = {b"b": _abi.INT8, b"B": _abi.UINT8, b"h": _abi.INT16, b"H": _abi.UINT16, b"i": _abi.INT32, b"q": _abi.INT64, b"I": _abi.UINT32,
            b"l": _abi.INT64 if ctypes.sizeof(ctypes.c_long) == 8 else _abi.INT32}
_native = b"<" if array.array("h", [1]).tobytes() == b"\1\0" else b">"


def empty(kind: str, *shape: int) -> Array:
    """New memory of a type and shape."""
    if numpy is not None:
        return numpy.empty(shape, kind)
    number = TYPES[kind]
    memory = memoryview(bytearray(max(1, math.prod(shape)) * _BYTES[number]))
    return memory.cast(_CODES[number], shape=list(shape)) if math.prod(shape) else memory[:0].cast(_CODES[number])


def shape_of(value: Array) -> tuple[int, ...]:
    """The extents of an array, a tensor or a list."""
    if hasattr(value, "shape"):
        return tuple(int(extent) for extent in value.shape)
    if isinstance(value, (list, tuple)):
        return (len(value),)
    return tuple(memoryview(value).shape)


class Memory:
    """The views of one call. What they see is kept alive until `with` ends."""

    def __init__(self) -> None:
        self._held: list[Any] = []

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: Any) -> None:
        for held in self._held:
            if isinstance(held, _Buffer):
                _release(held)
        self._held.clear()

    def keep(self, value: Any) -> Any:
        """Keeps a value alive as long as the views."""
        self._held.append(value)
        return value

    def view(self, value: Optional[Array], kind: Union[str, Sequence[str]], what: str) -> _abi.dytq_view:
        """A view to read from, of one of the types; None is an argument that is not there."""
        return self._fill(_abi.dytq_view(), value, (kind,) if isinstance(kind, str) else kind, what, 0)

    def output(self, value: Optional[Array], kind: Union[str, Sequence[str]], what: str) -> _abi.dytq_output:
        """A view to write to."""
        return self._fill(_abi.dytq_output(), value, (kind,) if isinstance(kind, str) else kind, what, _WRITABLE)

    def _fill(self, view: Any, value: Optional[Array], kinds: Sequence[str], what: str, flags: int) -> Any:
        if value is None:
            return view
        if isinstance(value, (list, tuple)):
            if flags:
                raise TypeError(f"{what}: a list cannot be written to")
            try:
                value = array.array(_CODES[TYPES[kinds[-1]]], value)
            except (OverflowError, TypeError) as error:
                raise type(error)(f"{what}: {error}") from None
        if hasattr(value, "data_ptr"):
            return self._fill_from_tensor(view, value, kinds, what)
        buffer = _Buffer()
        try:
            _get(value, buffer, _STRIDED_WITH_FORMAT | flags)
        except (BufferError, ValueError) as error:
            raise ValueError(f"{what}: {error}") from None
        except TypeError:
            raise TypeError(f"{what}: {type(value).__name__} has no buffer") from None
        self._held.append(buffer)
        text = buffer.format or b"B"
        kind = _FORMATS.get(text[1:] if text[:1] in (b"=", b"@", _native) and len(text) > 1 else text)
        if kind == _abi.UINT8 and isinstance(value.obj if isinstance(value, memoryview) else value, (bytes, bytearray)):
            kind = _abi.INT8 if "int8" in kinds else kind  # bytes are codes of either sign
        if kind is not None and buffer.itemsize != _BYTES[kind]:  # a long of another size than this machine's
            kind = None
        self._check(kind, text.decode("ascii", "replace"), kinds, what)
        view.data = buffer.buf if buffer.buf is not None else 0
        shape = buffer.shape[:buffer.ndim] if buffer.ndim else []
        # Arrays of ctypes give no strides, though they are asked for.
        strides = buffer.strides[:buffer.ndim] if buffer.strides else [buffer.itemsize * math.prod(shape[r + 1:]) for r in range(len(shape))]
        self._set(view, kind, shape, strides, buffer.itemsize, what)
        return view

    def _fill_from_tensor(self, view: Any, tensor: Any, kinds: Sequence[str], what: str) -> Any:
        if getattr(tensor.device, "type", "cpu") != "cpu":
            raise ValueError(f"{what}: the tensor is on {tensor.device}; only memory of the CPU can be read")
        name = str(tensor.dtype).rpartition(".")[2]
        kind = TYPES.get(name)
        self._check(kind, name, kinds, what)
        if getattr(tensor, "layout", None) is not None and str(tensor.layout) != "torch.strided":
            raise ValueError(f"{what}: the tensor is {tensor.layout}; only strided memory can be read")
        if hasattr(tensor, "is_neg") and tensor.is_neg():  # what the memory holds is not what the tensor says
            raise ValueError(f"{what}: the tensor is a negated view; resolve_neg() makes one that can be read")
        self._held.append(tensor)
        size = tensor.element_size()
        view.data = tensor.data_ptr()
        self._set(view, kind, tuple(tensor.shape), [step * size for step in tensor.stride()], size, what)
        return view

    @staticmethod
    def _check(kind: Optional[int], name: str, kinds: Sequence[str], what: str) -> None:
        if kind is None or _NAMES[kind] not in kinds:
            raise TypeError(f"{what}: elements of {' or '.join(kinds)} are taken, got {_NAMES.get(kind, name)}")  # type: ignore[arg-type]

    @staticmethod
    def _set(view: Any, kind: int, shape: Sequence[int], strides: Sequence[int], size: int, what: str) -> None:
        rank = len(shape)
        if not 1 <= rank <= 5:
            raise TypeError(f"{what}: 1 to 5 axes are taken, got {rank}")
        view.type = kind
        view.rank = rank
        for r in range(rank):
            view.extents[r] = shape[r]
            if strides[r] % size:
                raise ValueError(f"{what}: a stride of {strides[r]} bytes is no multiple of the {size} of an element")
            view.strides[r] = strides[r] // size
