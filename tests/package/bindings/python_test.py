#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package itself: views without copies, refusals that write nothing, and what is returned where there is no numpy."""
import array
import ctypes
import dataclasses
import inspect
import os
import pydoc
import subprocess
import sys
import tracemalloc
import unittest
from fractions import Fraction

import dytq

try:
    import numpy
except ImportError:
    numpy = None
try:
    import torch
except ImportError:
    torch = None

IDENTITY = bytes(range(128, 256)) + bytes(range(128))  # entry i is i - 128
TANH = dytq.Qparams(0.05), dytq.Qparams(1 / 128)
ONE = dytq.Rescale(1 << 30, 30)


def site(gamma=(1, -1, 1), **more):
    return dytq.AffineSite(bytes([129]) + IDENTITY[1:], gamma=list(gamma), table_step=ONE, gamma_step=ONE, gamma_out=ONE, **more)


def weight(rows=2):
    return memoryview(array.array("b", range(-3 * rows, 3 * rows, 2)[:3 * rows])).cast("B").cast("b", shape=[rows, 3])


def values(view):
    return [int(v) for row in view.tolist() for v in (row if isinstance(row, list) else [row])]


class Views(unittest.TestCase):
    def test_whatever_has_a_buffer(self):
        expected = values(dytq.lookup(IDENTITY, array.array("b", [-128, 0, 127])))
        self.assertEqual(expected, [-128, 0, 127])
        for table in (IDENTITY, bytearray(IDENTITY), memoryview(IDENTITY), array.array("b", IDENTITY), memoryview(IDENTITY).cast("b")):
            self.assertEqual(values(dytq.lookup(table, [-128, 0, 127])), expected, type(table))

    def test_strides(self):
        backwards = memoryview(IDENTITY)[::-1]
        self.assertEqual(values(dytq.lookup(backwards, [-128, 0, 127])), [127, -1, -128])
        wide = memoryview(bytes(b for code in IDENTITY for b in (code, 99)))[::2]
        self.assertEqual(values(dytq.lookup(wide, [-128, 0, 127])), [-128, 0, 127])

    def test_in_place_without_a_copy(self):
        w, b = weight(), array.array("i", [0, 0])
        before = values(w)
        fold = dytq.fold_affine_into_conv(site(), dytq.Convolution(w, "oi", b), weight=w, bias=b)
        self.assertIs(fold.weight, w)
        self.assertEqual(values(w), [v * (1, -1, 1)[i % 3] for i, v in enumerate(before)])

    def test_part_of_a_larger_tensor(self):
        memory = array.array("b", [99] * 20)
        w = memoryview(memory)[1:13].cast("B").cast("b", shape=[2, 6])
        for o in range(2):
            for i in range(6):
                w[o, i] = 10 * o + i
        if numpy is not None:
            part = numpy.asarray(w)[:, ::-2]  # [O, 3], negative strides
            dytq.fold_affine_into_conv(site(), dytq.Convolution(part, "oi"), weight=part)
            self.assertEqual(part.tolist(), [[5, -3, 1], [15, -13, 11]])
            self.assertEqual((memory[0], memory[13], w[0, 0], w[1, 4]), (99, 99, 0, 14))

    def test_wrong_types(self):
        for table in (array.array("B", IDENTITY), array.array("h", range(256)), array.array("i", range(256)), array.array("f", [0.0] * 256)):
            with self.assertRaises(TypeError):
                dytq.compose(IDENTITY, table)
        for table in (None.__class__, 5, "text", object()):
            with self.assertRaises((TypeError, ValueError)):
                dytq.compose(IDENTITY, table)
        with self.assertRaises(OverflowError):
            dytq.compose(IDENTITY, [128] * 256)
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.compose(IDENTITY, IDENTITY[1:])
        self.assertEqual((caught.exception.reason, caught.exception.expected, caught.exception.got), ("table_size", 256, 255))

    def test_numbers_that_do_not_fit(self):
        for bad in (1 << 31, -(1 << 31) - 1, 1 << 32, 1 << 80):
            with self.assertRaises(OverflowError):
                dytq.Rescale(bad, 30)(1)
            with self.assertRaises(OverflowError):
                dytq.mul_int32(bad, 1)
        with self.assertRaises(OverflowError):
            ONE(1 << 63)
        with self.assertRaises(TypeError):
            dytq.Rescale(1.5, 30)(1)
        with self.assertRaises(ValueError):
            dytq.lut8("no such function", *TANH)
        with self.assertRaises(ValueError):
            dytq.AffineSite(IDENTITY, reachable=[200]), dytq.is_identity(dytq.AffineSite(IDENTITY, reachable=[200]))

    def test_read_only_and_overlapping_outputs(self):
        table = array.array("b", IDENTITY)
        with self.assertRaises(ValueError):
            dytq.lookup(IDENTITY, table, out=bytes(256))
        shifted = memoryview(array.array("b", IDENTITY) + array.array("b", [7]))
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.lookup(IDENTITY, shifted[:256], out=shifted[1:])
        self.assertEqual(caught.exception.reason, "overlapping_views")
        self.assertEqual(shifted.tolist(), [*array.array("b", IDENTITY), 7])
        dytq.lookup(IDENTITY, table, out=table)  # the same is no overlap

    def test_a_list_that_is_empty_is_there(self):
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.fold_affine_into_conv(site(gamma=()), dytq.Convolution(weight(), "oi"))
        self.assertEqual(caught.exception.reason, "channel_count")

    def test_buffers_are_released(self):
        for good in (True, False):
            table = bytearray(IDENTITY)
            try:
                dytq.lookup(table, [1] if good else array.array("f", [1]))
            except TypeError:
                pass
            table.append(0)  # BufferError if somebody still looked at it

    @unittest.skipIf(numpy is None, "no numpy")
    def test_numpy(self):
        table = dytq.lut8("tanh", *TANH)
        self.assertIsInstance(table, numpy.ndarray)
        codes = numpy.arange(-128, 128, dtype=numpy.int8).reshape(4, 8, 8).transpose(2, 0, 1)
        self.assertTrue((dytq.lookup(table, codes) == table[codes.astype(int) + 128]).all())
        record = numpy.zeros(256, dtype=[("code", "i1"), ("other", "i4")])
        record["code"] = table
        self.assertTrue((dytq.compose(record["code"], IDENTITY) == table).all())
        with self.assertRaises(TypeError):
            dytq.compose(table.astype(numpy.uint8), table)
        with self.assertRaises(ValueError):  # strides of 5 bytes are none of int32
            dytq.fold_affine_into_conv(site(), dytq.Convolution(weight(), "oi", record["other"][:2]))
        with self.assertRaises(TypeError):
            dytq.compose(table.astype(">i2"), table)

    @unittest.skipIf(torch is None, "no torch")
    def test_torch(self):
        w = torch.arange(12, dtype=torch.int8).reshape(3, 4).t()[:2]  # [2, 3] of strides 1, 4
        dytq.fold_affine_into_conv(site(), dytq.Convolution(w, "oi"), weight=w)
        self.assertEqual(w.tolist(), [[0, -4, 8], [1, -5, 9]])
        with self.assertRaises(TypeError):
            dytq.compose(torch.zeros(256, dtype=torch.uint8), IDENTITY)
        with self.assertRaises(ValueError):
            dytq.compose(torch.zeros(256, dtype=torch.int8, device="meta"), IDENTITY)


    def test_arrays_of_ctypes(self):
        codes = ctypes.c_int8 * 3
        self.assertEqual(values(dytq.lookup(IDENTITY, codes(-128, 0, 127))), [-128, 0, 127])  # they give no strides
        rows = ((codes * 2)(codes(30, 40, 50), codes(1, 2, 3)))
        dytq.fold_affine_into_conv(site(), dytq.Convolution(rows, "oi"), weight=rows)
        self.assertEqual([list(row) for row in rows], [[30, -40, 50], [1, -2, 3]])
        for single in (ctypes.c_int8(3), memoryview(ctypes.c_int8(3))):
            with self.assertRaises(TypeError):
                dytq.lookup(IDENTITY, single)
        with self.assertRaises(TypeError):
            dytq.fold_affine_into_conv(site(), dytq.Convolution(weight(), "oi", (ctypes.c_int32.__ctype_be__ * 2)(1, 2)))

    def test_a_long_of_another_size(self):
        memory = (ctypes.c_int32 * 4)(1, 2, 3, 4)
        made = Buffer(ctypes.addressof(memory), None, 16, 4, 0, 1, b"=l", (ctypes.c_ssize_t * 1)(4), (ctypes.c_ssize_t * 1)(4))
        make = ctypes.pythonapi.PyMemoryView_FromBuffer
        make.restype = ctypes.py_object
        standard = make(ctypes.byref(made))  # four bytes each, on every machine; a long of this one may have eight
        self.assertEqual(standard.itemsize, 4)
        if ctypes.sizeof(ctypes.c_long) != 4:
            with self.assertRaises(TypeError):
                dytq.fit_rescale(standard, standard)

    @unittest.skipIf(torch is None, "no torch")
    def test_tensors_whose_memory_is_not_what_they_say(self):
        codes = torch.tensor([1, 2], dtype=torch.int8)
        for lazy in (torch._neg_view(codes), torch.eye(2, dtype=torch.int8).to_sparse()):
            with self.assertRaises(ValueError):
                dytq.lookup(IDENTITY, lazy)
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.lookup(IDENTITY, codes, out=codes[:1].expand(2))
        self.assertEqual(caught.exception.reason, "aliased_output")


class Buffer(ctypes.Structure):
    """Py_buffer, to make views of kinds that no exporter here makes."""
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)]


class Hostile(unittest.TestCase):
    """Each argument of a good call, and each field of each argument, is replaced by what no friend would give: what comes of it is an answer, or one of the
    exceptions that the page promises."""

    def calls(self):
        step = dytq.Rescale(1 << 30, 31)
        conv = dytq.Convolution(weight(), "oi", array.array("i", [5, 6]))
        chain = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[3, 2, 1]), dytq.Step("rescale", step)], 3)
        of_two = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", codes=[3, 2], scale=ONE), dytq.Step("rescale", step)], 2)
        table, alpha = bytearray(IDENTITY), dytq.AlphaSite(64, ONE, ONE, dytq.Rescale(1 << 30, 36))
        q, codes = (dytq.Qparams(0.05), dytq.Qparams(1 / 128)), array.array("b", [1, 2, 3])
        blocks = memoryview(bytes(6)).cast("b", shape=[1, 3, 2])
        one, five = [1 << 30], [36]
        yield dytq.quantize_scale, (0.5,), {"width": 32, "dialect": "tflite"}
        yield dytq.fits_target, ("tosa", 0.5), {}
        yield dytq.fits_target, ("tosa", (1 << 30, 30)), {}
        yield dytq.mul_int32, (1, 2, 0), {}
        yield dytq.add_int32, (1, 2), {}
        yield dytq.fit_rescale, (codes, codes), {"input_zp": 0, "out": (-128, 127), "multiplier_max": 1 << 30, "shifts": (2, 40)}
        yield dytq.Rescale.__call__, (ONE, 3), {}
        yield dytq.Rescale.tensor, (dytq.Rescale(1 << 30, 30, out="int8"), codes), {"out": array.array("b", [0] * 3)}
        yield dytq.RescaleOperator.__call__, (dytq.RescaleOperator(), 3, 1 << 30, 30), {}
        yield dytq.RescaleOperator.tensor, (dytq.RescaleOperator(), codes, one, [30]), {}
        yield dytq.lut8, ("tanh", *q), {"alpha": 1.0, "shift": 0.0, "domain": (-9, 9), "numerics": "exact", "ties": "to_even", "parameter": None}
        yield dytq.lut16, ("tanh", *q), {"step": 128}
        yield dytq.tflite_lut16, ("tanh", *q), {}
        yield dytq.lut_error, ("tanh", *q, table), {"domain": (-2, 2)}
        yield dytq.lookup, (table, codes), {"out": array.array("b", [0] * 3)}
        yield dytq.compose, (table, table), {}
        yield dytq.fold_alpha_into_lut, (alpha, table), {"out": bytearray(256)}
        yield dytq.fold_alpha_into_function, (alpha, "tanh", *q), {}
        for fold in (dytq.fold_affine_into_conv, dytq.fold_affine_into_table_and_conv):
            yield fold, (site(), conv), {"weight": weight(), "bias": array.array("i", [0, 0])}
        yield dytq.prove_affine_fold, (site(reachable=[1, 2]), conv), {}
        yield dytq.prove_affine_fold, (dytq.AffineSite(bytes([129]) + IDENTITY[1:], maps=memoryview(IDENTITY * 3).cast("b", shape=[3, 256])), conv), {}
        yield dytq.fold_affine_into_convs, (site(), [conv, conv]), {"in_place": False}
        yield dytq.fold_beta_into_conv, (site(beta=[0, 1, 0], reachable=[1, 2], beta_step=ONE, add_in=ONE, add_out=ONE), conv), {}
        yield dytq.check_fold, (site(), conv, dytq.fold_affine_into_conv(site(), conv)), {}
        yield dytq.is_identity, (site((1, 1, 1)),), {"half": "gamma"}
        yield dytq.fold_affine_into_table, (site((1, 1, 1)),), {}
        yield dytq.gamma_as_rescale, (site((1, 1, 2)),), {}
        yield dytq.gamma_as_depthwise, (site(),), {}
        yield dytq.channel_tables, (site(),), {"alpha": [64], "activation": ONE, "alpha_step": ONE, "mul_out": step, "channels": 3, "domain": (-9, 9)}
        yield dytq.Convolution.__call__, (dytq.Convolution(weight(), "oi"), memoryview(bytes(3)).cast("b", shape=[1, 1, 1, 3])), {}
        yield dytq.fold_bounded, (site(), conv, one, five), {"tolerance": 9}
        yield dytq.check_bounded, (site(), conv, one, five, dytq.fold_bounded(site(), conv, one, five)), {}
        yield dytq.fold_into_producer, (of_two, conv, one, five, 0), {"tolerance": 9}
        yield dytq.Chain.maps, (chain,), {}
        yield dytq.Chain.__call__, (chain, blocks), {"out": memoryview(bytearray(6)).cast("b", shape=[1, 3, 2])}
        yield dytq.plan_chain, (chain,), {"target": dytq.Target(cost={"mul": 2}), "readers": [conv], "fixed": [0], "observed": [1, 3], "tolerance": 1}
        yield dytq.fit_line, (codes, codes), {"tolerance": 1, "weights": (-9, 9)}
        yield dytq.requantization, ("tflite", "conv_2d", 0.5, 0.25, dytq.Qparams(0.5)), {}
        yield dytq.effective_scale, ("in_double", 0.5, 0.5, 0.5), {}
        yield dytq.addition, ("tflite", dytq.Qparams(0.5), dytq.Qparams(0.5), dytq.Qparams(0.5)), {}
        yield dytq.average_pool, (9,), {"out": (-9, 9)}
        yield dytq.activation_range, ("relu6", dytq.Qparams(0.25)), {}
        yield dytq.engine_arithmetic, ("tflite", "add"), {}

    values = [None, True, -1, 77, 1 << 64, 1.5, float("nan"), float("inf"), "", "text", b"", b"xy", (), (1,), (1, 2, 3), [], [300], ["x"], [None], {}, object(),
              IDENTITY, ONE, site(), ctypes.c_int8(3), (ctypes.c_int8 * 3)(1, 2, 3), memoryview(bytearray(6)).cast("b", shape=[2, 3])[::-1],
              memoryview(bytes(9))[9:], array.array("i", [1, 2, 3]), array.array("f", [1, 2, 3]), memoryview(b"abc")]
    if numpy is not None:
        values += [numpy.int8(1), numpy.array(1, numpy.int8), numpy.zeros((2, 3), ">i4"), numpy.zeros(3, bool), numpy.zeros((1,) * 6, numpy.int8),
                   numpy.broadcast_to(numpy.int8(1), (2, 3)), numpy.zeros((0, 3), numpy.int8), numpy.array([None])]

    def replaced(self, value):
        """A good argument with one of its fields replaced."""
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                for bad in self.values:
                    yield f"{field.name}={bad!r:.60}", dataclasses.replace(value, **{field.name: bad})
        elif isinstance(value, list) and value and dataclasses.is_dataclass(value[-1]):
            yield from ((text, [*value[:-1], bad]) for text, bad in self.replaced(value[-1]))

    def test_every_argument(self):
        promised, count = (ValueError, TypeError, OverflowError, NotImplementedError), 0  # the last is what memoryview says of its rows
        for function, arguments, named in self.calls():
            function(*arguments, **named)
            for at in (*range(len(arguments)), *named):
                good = named[at] if isinstance(at, str) else arguments[at]
                for text, bad in (*((f"{bad!r:.60}", bad) for bad in self.values), *self.replaced(good)):
                    if at == 0 and "." in function.__qualname__ and not isinstance(bad, type(good)):
                        continue  # a method of another class
                    count += 1
                    try:
                        if isinstance(at, str):
                            function(*arguments, **{**named, at: bad})
                        else:
                            function(*arguments[:at], bad, *arguments[at + 1:], **named)
                    except promised:
                        pass
                    except Exception as error:
                        self.fail(f"{function.__qualname__}, argument {at}, {text}: {type(error).__name__}: {error}")
        self.assertGreater(count, 5000)

    def test_names_and_ranges(self):
        kernel = dytq.Convolution(weight(), "no such layout")
        for call in (lambda: dytq.fold_affine_into_conv(site(), kernel), lambda: dytq.Rescale(out="int9")(1), lambda: dytq.Rescale(out=(0, 5, 7))(1),
                     lambda: dytq.lut8("tanh", *TANH, domain=(3,)), lambda: dytq.average_pool(9, (1,))):
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertNotIsInstance(caught.exception, dytq.Rejected)
        with self.assertRaisesRegex(TypeError, "input: Qparams is taken, got float"):
            dytq.lut8("tanh", 0.05, 1 / 128)

    def test_cuts_and_readers_that_there_are_not(self):
        chain, conv = dytq.Chain([dytq.Step("rescale", ONE)], 3), dytq.Convolution(weight(), "oi")
        dytq.plan_chain(chain, readers=[conv], fixed=[0], observed=[0, 1])
        for bad in ({"observed": [2]}, {"observed": [-1]}, {"fixed": [1]}, {"fixed": [-1]}):
            with self.assertRaises(ValueError):
                dytq.plan_chain(chain, readers=[conv], **bad)


class Cost(unittest.TestCase):
    """What the way through Python costs beside the library itself, in numbers that are the same on every machine: bench/bindings.py has times."""

    def memory(self, call):
        """The most that Python and numpy held while it ran, in bytes."""
        call()  # what is kept from the first call on is no matter
        tracemalloc.start()
        try:
            call()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    def calls(self, call):
        """Functions that were called, those of C included."""
        call()
        count = 0

        def profile(frame, event, argument):
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(profile)
        try:
            call()
        finally:
            sys.setprofile(None)
        return count

    def large(self, n):
        """A site, weights [n, n] and the memory behind them; the last channel changes its sign."""
        memory = bytearray(n * n)
        w = memoryview(memory).cast("b", shape=[n, n])
        w[0, n - 1] = w[n - 1, n - 1] = 5
        return dytq.AffineSite(bytes([129]) + IDENTITY[1:], gamma=bytes([1] * (n - 1) + [255]), table_step=ONE, gamma_step=ONE, gamma_out=ONE), w, memory

    def test_weights_of_16_megabytes_are_not_copied(self):
        n = 4096
        wide, w, _ = self.large(n)
        bias = memoryview(bytearray(4 * n)).cast("i", shape=[n])
        conv = dytq.Convolution(w, "oi", bias)
        self.assertLess(self.memory(lambda: dytq.fold_affine_into_conv(wide, conv, weight=w, bias=bias)), 100000)  # 32768 are the workspace
        self.assertEqual((w[0, n - 1], w[n - 1, n - 1]), (5, 5))  # twice

    def test_what_is_refused_takes_no_memory(self):
        def refused():
            with self.assertRaises(dytq.Rejected) as caught:
                dytq.prove_affine_fold(site(), dytq.Convolution(weight(), "oi", groups=1 << 24))
            self.assertEqual(caught.exception.reason, "group_count")

        self.assertLess(self.memory(refused), 40000)

    def test_views_are_not_copied(self):
        n = 512
        wide, w, memory = self.large(n)
        views = [w]
        if numpy is not None:
            views += [numpy.asarray(w)[::-1, ::-1], numpy.asarray(w).reshape(1, n, n)[0]]
        if torch is not None:
            views += [torch.frombuffer(memory, dtype=torch.int8).reshape(n, n).t()]
        for view in views:  # backwards, sliced and transposed
            self.assertLess(self.memory(lambda view=view: dytq.prove_affine_fold(wide, dytq.Convolution(view, "oi"))), 40000)

    def test_a_call_is_few_calls(self):
        small, conv = site(), dytq.Convolution(weight(), "oi", array.array("i", [0, 0]))
        to, bias = weight(), array.array("i", [0, 0])
        self.assertLess(self.calls(lambda: dytq.lut8("tanh", *TANH)), 100)
        self.assertLess(self.calls(lambda: dytq.fold_affine_into_conv(small, conv, weight=to, bias=bias)), 480)


class Refusals(unittest.TestCase):
    def test_fields(self):
        w, b = weight(), array.array("i", [5, 6])
        before = values(w)
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.fold_affine_into_conv(site(gamma=(1, 3, 1)), dytq.Convolution(w, "oi", b), weight=w, bias=b)
        why = caught.exception
        self.assertEqual((why.reason, why.kind, why.at, why.channel, why.tap), ("not_affine", "no_fold", "gamma_out", 1, 0))
        self.assertIsNone(why.convolution)
        self.assertIsInstance(why.code, int)
        self.assertTrue(str(why).startswith("not_affine at gamma_out, channel 1"))
        self.assertIn("affine", why.text)
        self.assertEqual((values(w), list(b)), (before, [5, 6]))

    def test_several_convolutions(self):
        convs = [dytq.Convolution(weight(), "oi", array.array("i", [0, 0])), dytq.Convolution(weight(), "oi", array.array("i", [0, 0]), input_zp=1)]
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.fold_affine_into_convs(site(), convs, in_place=True)
        self.assertEqual((caught.exception.reason, caught.exception.convolution), ("zero_point_mismatch", 1))
        self.assertEqual(values(convs[0].weight), values(weight()))
        convs[1].input_zp = 0
        folds = dytq.fold_affine_into_convs(site(), convs)
        for conv, fold in zip(convs, folds):
            dytq.check_fold(site(), conv, fold)

    def test_judge(self):
        conv = dytq.Convolution(weight(), "oi")
        fold = dytq.fold_affine_into_conv(site(), conv)
        dytq.check_fold(site(), conv, fold)
        fold.weight[0, 0] += 1
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.check_fold(site(), conv, fold)
        self.assertEqual(caught.exception.reason, "fold_differs")

    def test_geometry_that_is_not_given(self):
        kernel = memoryview(bytes(2 * 3 * 3 * 3)).cast("b", shape=[2, 3, 3, 3])
        with self.assertRaises(dytq.Rejected):
            dytq.fold_affine_into_conv(site(), dytq.Convolution(kernel, "ohwi"))
        dytq.fold_affine_into_conv(site(), dytq.Convolution(kernel, "ohwi", axes=[dytq.Axis(8, 1, 1, 1, 1)] * 2))


class Asking(unittest.TestCase):
    """Asking is a call of its own: every field is the same, or is None."""

    def same(self, asked, written):
        absent = {name for name, value in asked._asdict().items() if value is None}
        self.assertTrue(absent)
        for name, value in asked._asdict().items():
            if name == "bounds" or name == "differences":
                self.assertEqual(value.tolist(), getattr(written, name).tolist())
            elif value is not None:
                self.assertEqual(value, getattr(written, name), name)
        return absent

    def test_folds(self):
        w = weight()
        conv, with_beta = dytq.Convolution(w, "oi", array.array("i", [5, 6])), site(beta=[2, 3, 4], reachable=range(-99, 100), add_in=ONE, beta_step=ONE, add_out=ONE)
        halved = dytq.AffineSite(bytes([129]) + IDENTITY[1:], gamma=[1, 3, 1], table_step=ONE, gamma_step=ONE, gamma_out=dytq.Rescale(1 << 30, 31))
        before = values(w)
        for ask, fold, s, absent in ((dytq.prove_affine_fold, dytq.fold_affine_into_conv, site(), {"weight", "bias", "table", "multiple"}),
                                     (dytq.prove_beta_fold, dytq.fold_beta_into_conv, with_beta, {"weight", "bias", "table", "multiple"}),
                                     (dytq.prove_table_and_conv_fold, dytq.fold_affine_into_table_and_conv, site(),
                                      {"weight", "bias", "table", "first_code"})):
            self.assertEqual(self.same(ask(s, conv), fold(s, conv)), absent)
            dytq.check_fold(s, conv, fold(s, conv))
            with self.assertRaises(dytq.Rejected) as asked:
                ask(halved, conv)
            with self.assertRaises(dytq.Rejected) as written:
                fold(halved, conv)
            self.assertEqual(str(asked.exception), str(written.exception))
        self.assertEqual((values(w), list(conv.bias)), (before, [5, 6]))
        self.assertEqual(dytq.prove_affine_fold(site(), conv).weights_changed, 2)
        made = dytq.prove_bounded_fold(halved, conv, [1 << 30], [33])
        self.assertEqual(self.same(made, dytq.fold_bounded(halved, conv, [1 << 30], [33])), {"weight", "bias", "multiplier", "shift"})
        with self.assertRaises(dytq.Rejected):
            dytq.prove_bounded_fold(halved, conv, [1 << 30], [33], tolerance=0)

    def test_other_forms(self):
        self.assertEqual(self.same(dytq.prove_gamma_as_rescale(site((1, 1, 2))), dytq.gamma_as_rescale(site((1, 1, 2)))), {"multiplier", "shift"})
        self.assertEqual(self.same(dytq.prove_gamma_as_depthwise(site()), dytq.gamma_as_depthwise(site())), {"weight"})
        with self.assertRaises(dytq.Rejected):
            dytq.prove_gamma_as_rescale(site((1, 1, -2)))
        chain = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[3, 2]), dytq.Step("rescale", dytq.Rescale(1 << 30, 32))], 2)
        conv = dytq.Convolution(weight(), "oi", array.array("i", [5, 6]))
        arguments = chain, conv, [1 << 30], [36], 0
        self.assertEqual(self.same(dytq.prove_producer_fold(*arguments, tolerance=9), dytq.fold_into_producer(*arguments, tolerance=9)),
                         {"bias", "multiplier", "shift"})


class Tables(unittest.TestCase):
    def test_int16_tables_of_other_steps(self):
        q = dytq.Qparams(1e-4), dytq.Qparams(1 / 32768)
        tables = {step: dytq.lut16("tanh", *q, step=step) for step in (128, 64, 32)}
        self.assertEqual([len(t.table) for t in tables.values()], [513, 1025, 2049])
        for step, (entries, shift) in tables.items():
            self.assertEqual(shift, step.bit_length() - 1)
            self.assertEqual(entries.tolist()[::128 // step], tables[128].table.tolist())
        errors = [dytq.lut_error("tanh", *q, t.table, result_shift=t.shift, domain=(0, 2000))[0] for t in tables.values()]
        self.assertTrue(all((1 << 31) - (1 << 26) < error < 3 << 30 for error in errors), errors)  # half a code, and a little
        self.assertEqual(len(set(errors)), 3)
        with self.assertRaises(ValueError):
            dytq.lut16("tanh", *q, step=16)
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.lut_error("tanh", *q, tables[64].table[:1024])
        self.assertEqual((caught.exception.reason, caught.exception.got), ("table_size", 1024))

    def test_error_of_a_table_of_tflite(self):
        q = dytq.Qparams(1e-4), dytq.Qparams(1 / 32768)
        table = dytq.tflite_lut16("tanh", *q)
        largest, code = dytq.tflite_lut_error("tanh", *q, table, domain=(-300, 900))
        self.assertTrue((1 << 31) < largest < 4 << 32 and -300 <= code <= 900, largest)
        moved = array.array("h", table.tolist())
        moved[260] += 9
        self.assertGreater(dytq.tflite_lut_error("tanh", *q, moved, domain=(-300, 900))[0], 7 << 32)
        with self.assertRaises(dytq.Rejected):
            dytq.tflite_lut_error("tanh", *q, moved[:512])


class Chains(unittest.TestCase):
    def test_maps_and_tensors(self):
        chain = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[1, -1]), dytq.Step("rescale", ONE)], 2)
        maps = chain.maps().tolist()
        self.assertEqual(maps[0], list(range(-128, 128)))
        self.assertEqual(maps[1], [min(127, -c) for c in range(-128, 128)])
        x = memoryview(array.array("b", [1, 2, 3, 4])).cast("B").cast("b", shape=[1, 2, 2])
        self.assertEqual(chain(x).tolist(), [[[1, 2], [-3, -4]]])
        chain.domain = [1, 2]
        with self.assertRaises(dytq.Rejected) as caught:
            chain(x)
        self.assertEqual((caught.exception.reason, caught.exception.channel, caught.exception.got), ("code_out_of_range", 1, 3))
        chain.steps[1].constants = [1 << 30, 1]
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.Chain([*chain.steps[:2], dytq.Step("add", constant=(1 << 31) - 1), chain.steps[2]], 2, [1, 2]).maps()
        self.assertEqual((caught.exception.step, caught.exception.channel), (2, 0))

    def test_maps_are_a_site(self):
        conv = dytq.Convolution(weight(), "oi")
        maps = memoryview(bytes((sign * c) & 255 for sign in (1, -1, 1) for c in range(-128, 128))).cast("b", shape=[3, 256])
        by_maps = dytq.AffineSite(bytes([129]) + IDENTITY[1:], maps=maps)
        self.assertEqual(values(dytq.fold_affine_into_conv(by_maps, conv).weight), values(dytq.fold_affine_into_conv(site(), conv).weight))

    def test_lines(self):
        codes = list(range(-128, 128))
        line = dytq.fit_line(codes, [max(-128, min(127, (3 * c + 5) // 4)) for c in codes])
        self.assertEqual((line.max_difference, line.differ), (0, 0))
        step = dytq.Rescale(line.multiplier, line.shift, out="int8")
        self.assertEqual([step(line.bias + c * line.weight) for c in codes], [max(-128, min(127, (3 * c + 5) // 4)) for c in codes])
        conflict = dytq.find_line_conflict([0, 1, 2], [0, 5, 0])
        self.assertEqual((conflict.codes, conflict.expected), ((0, 1, 2), 5))
        self.assertIsNone(dytq.find_line_conflict([0, 1, 2], [0, 1, 2]))


class Plans(unittest.TestCase):
    def chain(self):
        return dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[1, 1, 1]), dytq.Step("rescale", ONE),
                           dytq.Step("table", table=bytes([0] * 256)[:1] + IDENTITY[1:]), dytq.Step("rescale", dytq.Rescale(1 << 30, 31))], 3)

    def test_the_new_chain_is_the_old_one(self):
        chain = self.chain()
        plan = dytq.plan_chain(chain)
        self.assertEqual((plan.operators_before, plan.operators), (5, 1))
        self.assertEqual([s.form for s in plan.stretches if not s.beside], ["into_table"])
        again = dytq.Chain(plan.steps, 3)
        self.assertEqual(again.maps().tolist(), chain.maps().tolist())
        self.assertEqual(plan.offers["into_table"], None)
        self.assertEqual(plan.offers["drop"].reason, "not_identity")
        self.assertIn("operators 5 -> 1", str(plan))

    def test_observed_results_stay(self):
        plan = dytq.plan_chain(self.chain(), observed=[3], branches=False)
        maps = [dytq.Chain(plan.steps[:n], 3).maps().tolist() for n in range(len(plan.steps) + 1)]
        self.assertIn(dytq.Chain(self.chain().steps[:3], 3).maps().tolist(), maps)
        self.assertEqual(maps[-1], self.chain().maps().tolist())

    def test_into_the_readers(self):
        chain = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[1, -1, 1]), dytq.Step("rescale", ONE)], 3, range(-127, 128))
        conv = dytq.Convolution(weight(), "oi", array.array("i", [5, 6]))
        plan = dytq.plan_chain(chain, readers=[conv])
        self.assertEqual((plan.operators, len(plan.folds)), (0, 1))
        self.assertEqual(values(plan.folds[0].weight), [v * (1, -1, 1)[i % 3] for i, v in enumerate(values(conv.weight))])
        kept = dytq.plan_chain(chain, readers=[conv], fixed=[0])
        self.assertEqual(kept.folds, ())
        self.assertEqual(kept.offers["into_conv"].reason, "shared")

    def test_tolerance(self):
        table = memoryview(array.array("b", [c // 2 + (c % 5 == 0) for c in range(-128, 128)]))
        chain = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[1, 1, -1]), dytq.Step("rescale", ONE),
                            dytq.Step("table", table=table), dytq.Step("rescale", ONE)], 3)
        exact = dytq.plan_chain(chain, target=dytq.Target(depthwise=True))
        near = dytq.plan_chain(chain, tolerance=1)
        self.assertLess(near.cost, exact.cost)
        off = [abs(a - b) for x, y in zip(chain.maps().tolist(), dytq.Chain(near.steps, 3).maps().tolist()) for a, b in zip(x, y)]
        self.assertEqual((max(off), sum(map(bool, off))), (max(s.max_difference for s in near.stretches), sum(s.differ for s in near.stretches)))
        self.assertIn("at most 1 off", str(near))

    def test_targets(self):
        chain = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[1, 2, 3]), dytq.Step("add", constants=[7, 8, 9]),
                            dytq.Step("rescale", dytq.Rescale(1 << 30, 31, 0, 3))], 3)
        self.assertEqual(dytq.plan_chain(chain, target=dytq.Target(channel_tables=True)).operators, 1)
        self.assertEqual(dytq.plan_chain(chain, target=dytq.Target(depthwise=False)).operators, 4)
        with self.assertRaises(ValueError):
            dytq.plan_chain(chain, target=dytq.Target("no such costs"))


class Bounded(unittest.TestCase):
    def test_bound_judge_and_tolerance(self):
        gamma_out = dytq.Rescale(1 << 30, 31)  # halves: no line
        s = dytq.AffineSite(IDENTITY, gamma=[1, 3, 1], table_step=ONE, gamma_step=ONE, gamma_out=gamma_out)
        conv = dytq.Convolution(weight(), "oi", array.array("i", [5, 6]))
        with self.assertRaises(dytq.Rejected):
            dytq.fold_affine_into_conv(s, conv)
        fold = dytq.fold_bounded(s, conv, [1 << 30], [33])
        self.assertFalse(fold.exact)
        self.assertGreater(fold.bound, 0)
        self.assertLessEqual(fold.lower_bound, fold.bound)
        judged = dytq.check_bounded(s, conv, [1 << 30], [33], fold)
        self.assertLessEqual(judged, fold.bound)
        self.assertLessEqual(fold.bound - judged, 2 ** -10)
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.fold_bounded(s, conv, [1 << 30], [33], tolerance=0)
        self.assertEqual(caught.exception.reason, "beyond_tolerance")
        self.assertGreaterEqual(caught.exception.got, caught.exception.least)
        histogram = memoryview(array.array("I", [1] * 768)).cast("B").cast("I", shape=[3, 256])
        self.assertEqual(dytq.fold_bounded(s, conv, [1 << 30], [33], histogram=histogram).bound, fold.bound)

    def test_an_exact_fold_is_taken(self):
        fold = dytq.fold_bounded(site(), dytq.Convolution(weight(), "oi"), [1 << 30], [33], tolerance=0)
        self.assertTrue(fold.exact)
        self.assertEqual(fold.bound, 0)


    def test_the_judge_says_it_of_each_channel(self):
        fold = dytq.fold_bounded(site(), dytq.Convolution(weight(), "oi"), [1 << 30], [33])
        fold = fold._replace(bias=[b + 3 * i for i, b in enumerate(fold.bias.tolist())])
        bounds = memoryview(array.array("q", [7] * 4)).cast("B").cast("q", shape=[2, 2])
        largest = dytq.check_bounded(site(), dytq.Convolution(weight(), "oi"), [1 << 30], [33], fold, bounds=bounds)
        self.assertEqual([Fraction(n, 1 << s) for n, s in bounds.tolist()], [0, largest])
        self.assertEqual(largest, Fraction(3, 8))
        with self.assertRaises(TypeError):
            dytq.check_bounded(site(), dytq.Convolution(weight(), "oi"), [1 << 30], [33], fold, bounds=array.array("q", [0] * 4))

    def test_into_the_producer(self):
        conv = dytq.Convolution(weight(), "oi", array.array("i", [5, 6]))
        chain = dytq.Chain([dytq.Step("rescale", ONE, wide=True), dytq.Step("mul", constants=[3, 2]), dytq.Step("rescale", dytq.Rescale(1 << 30, 32, 0, 4))], 2)
        limits = memoryview(array.array("q", [-8000, 8000])).cast("B").cast("q", shape=[1, 2])
        fold = dytq.fold_into_producer(chain, conv, [1 << 30], [36], 0, tolerance=1, accumulators=limits)
        self.assertEqual((fold.output_zp, fold.assumes_accumulators), (4, True))
        before, after = dytq.Rescale(1 << 30, 36, out="int8"), chain.maps().tolist()
        worst = [0, 0]
        for o in range(2):
            step = dytq.Rescale(fold.multiplier.tolist()[o], fold.shift.tolist()[o], 0, fold.output_zp, out="int8")
            moved = fold.bias.tolist()[o] - conv.bias[o]
            for accumulator in range(-8000, 8001, 7):
                worst[o] = max(worst[o], abs(step(accumulator + moved) - after[o][before(accumulator) + 128]))
            self.assertLessEqual(worst[o], fold.differences.tolist()[o])
        self.assertLessEqual(max(fold.differences.tolist()), fold.bound)
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.fold_into_producer(chain, conv, [1 << 30], [36], 3)
        self.assertEqual((caught.exception.reason, caught.exception.expected, caught.exception.got), ("zero_point_mismatch", 3, 0))


class Engines(unittest.TestCase):
    def test_tflite_and_onnx(self):
        how = dytq.engine_arithmetic("onnx_runtime", "mul")
        self.assertEqual(how, ("in_float32", "onnx", "onnx_multiply"))
        scale = dytq.effective_scale(how.product, 0.5, 0.25, 0.125)
        self.assertEqual(scale, 1.0)
        step = dytq.requantization("onnx_runtime", "mul", 0.5, 0.25, dytq.Qparams(0.125, 3))
        self.assertEqual(dytq.Multiplier(step.multiplier, step.shift), dytq.quantize_scale(scale, dialect="onnx"))
        self.assertEqual((step.rounding, step(5), step(-400)), ("onnx_multiply", 8, -128))
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.requantization("onnx_runtime", "add", 0.5, 0.25, dytq.Qparams(0.125))
        self.assertEqual(caught.exception.reason, "unknown_dialect")
        with self.assertRaises(ValueError):
            dytq.engine_arithmetic("no such engine", "mul")

    def test_addition_is_within_a_code(self):
        for engine in ("tflite", "xnnpack"):
            add = dytq.addition(engine, dytq.Qparams(0.5, 3), dytq.Qparams(0.25, -2), dytq.Qparams(0.5, 1))
            for a in range(-128, 128, 17):
                for b in range(-128, 128, 19):
                    real = ((a - 3) * 0.5 + (b + 2) * 0.25) / 0.5 + 1
                    self.assertLessEqual(abs(add.out(add.a(a) + add.b(b)) - max(-128, min(127, real))), 0.5)

    def test_pool_and_activation(self):
        mean = dytq.average_pool(9)
        self.assertEqual([mean(v) for v in (9, 13, 14, -13, -14, 0)], [1, 1, 2, -1, -2, 0])
        self.assertEqual(dytq.activation_range("relu6", dytq.Qparams(0.25, -10)), (-10, 14))
        with self.assertRaises(dytq.Rejected) as caught:
            dytq.average_pool(2000)
        self.assertEqual((caught.exception.reason, caught.exception.expected, caught.exception.got), ("extent_overflow", 1024, 2000))


class Help(unittest.TestCase):
    def test_every_public_name_says_what_it_is(self):
        for name in dytq.__all__:
            if name not in ("Array", "Range"):
                self.assertTrue(inspect.getdoc(getattr(dytq, name)), name)
        text = pydoc.plain(pydoc.render_doc(dytq))
        for part in ("not_affine", "int8 [256]", "zero_point", "Raises Rejected", "weight_overflow"):
            self.assertIn(part, text)

    def test_every_hint_can_be_read(self):
        import typing
        for name in dytq.__all__:
            value = getattr(dytq, name)
            if inspect.isfunction(value):
                hints = typing.get_type_hints(value)
                self.assertEqual(set(hints), {*inspect.signature(value).parameters, "return"}, name)


class WithoutNumpy(unittest.TestCase):
    def test_the_same_in_memoryviews(self):
        if os.environ.get("DYTQ_TEST_WITHOUT_NUMPY"):
            self.assertIsInstance(dytq.lut8("tanh", *TANH), memoryview)
            return
        hide = "import sys; sys.modules['numpy'] = None; sys.modules['torch'] = None; import unittest, runpy; sys.argv = ['python_test']; " \
               f"runpy.run_path({__file__!r}, run_name='__main__')"
        done = subprocess.run([sys.executable, "-c", hide], env={**os.environ, "DYTQ_TEST_WITHOUT_NUMPY": "1"}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
