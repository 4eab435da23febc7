#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns a folder with an int8 Dynamic Tanh network into the C++ header that the demo is compiled with.

    generate.py DIR OUT

DIR holds digits_dyt.json, digits_images.csv and digits_expected.json (see README.md); OUT is the header, or a directory
that gets a network_data.hpp. Whatever the network's widths, layers, images or classes are, they are data.
A malformed folder is refused with the place and the reason, and nothing is written.
"""
import csv
import json
import pathlib
import sys
import textwrap

INT8 = (-128, 127)
INT32 = (-(2**31), 2**31 - 1)
ANY_SIZE = (1, 2**31 - 1)


class Malformed(Exception):
    pass


class Node:
    """A value of a JSON document that knows its place in it; every access checks."""

    def __init__(self, value, place):
        self.value, self.place = value, place

    def fail(self, text):
        raise Malformed(f"{self.place}: {text}")

    def __contains__(self, key):
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def __getitem__(self, key):
        if isinstance(self.value, list) and isinstance(key, int):
            return Node(self.value[key], f"{self.place}[{key}]")
        if not isinstance(self.value, dict):
            self.fail("expected an object")
        if key not in self.value:
            self.fail(f"the key '{key}' is missing")
        return Node(self.value[key], f"{self.place}.{key}")

    def items(self):
        if not isinstance(self.value, list):
            self.fail("expected a list")
        return [self[i] for i in range(len(self.value))]

    def text(self):
        if not isinstance(self.value, str):
            self.fail("expected a string")
        return self.value

    def integer(self, bounds):
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail(f"expected an integer, got {json.dumps(self.value)[:40]}")
        if not bounds[0] <= self.value <= bounds[1]:
            self.fail(f"{self.value} is outside [{bounds[0]}, {bounds[1]}]")
        return self.value

    def integers(self, bounds, *counts):
        items = self.items()
        if counts and len(items) not in counts:
            self.fail(f"expected {' or '.join(map(str, counts))} entries, got {len(items)}")
        return [item.integer(bounds) for item in items]

    def boolean(self):
        if not isinstance(self.value, bool):
            self.fail("expected true or false")
        return self.value

    def expect(self, got, wanted, what):
        if got != wanted:
            self.fail(f"{what}: expected {wanted}, got {got}")


def read_text(path):
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def read_json(path):
    try:
        return Node(json.loads(read_text(path)), path.name)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Malformed(f"{path.name}: not JSON: {error}") from None


# ---- C++ text ----


def quoted(text):
    """A string literal; what is not plain ASCII is escaped in octal, which always ends after three digits."""
    plain = lambda c: 32 <= c < 127 and chr(c) not in '"\\?'
    return '"' + "".join(chr(c) if plain(c) else f"\\{c:03o}" for c in text.encode()) + '"'


def wrapped(items, indent="    "):
    return textwrap.fill(", ".join(map(str, items)), 120, initial_indent=indent, subsequent_indent=indent)


def array(element, name, items):
    return f"inline constexpr {element} {name}[] = {{\n{wrapped(items)}}};\n"


def strings(name, items):
    return f"inline constexpr const char* {name}[] = {{\n" + ",\n".join(f"    {quoted(s)}" for s in items) + "};\n"


def hex_codes(codes):
    return "".join(f"{code & 255:02x}" for code in codes)


# ---- the network ----


def rescale(node):
    """A per-tensor RESCALE of the chain."""
    out = node["out"].text()
    if out not in ("i8", "i32"):
        node["out"].fail("expected i8 or i32")
    double = "double" in node and node["double"].boolean()
    numbers = [f".{key} = {node[key].integer(INT32)}" for key in ("multiplier", "shift", "input_zp", "output_zp")]
    return (f"{{{', '.join(numbers)}, .out = dytq::{'int8' if out == 'i8' else 'int32'}_range"
            + (", .rounding = dytq::rounding_mode::double_round}" if double else "}"))


def rescales(node, names):
    return "{" + ",\n                   ".join(f".{name} = {rescale(node[name])}" for name in names) + "}"


def shape(node, count, bounds=ANY_SIZE):
    return node.integers(bounds, count)


def convolution(layer, index, shape_in):
    _, *size_in = shape_in
    o, kh, kw, i = shape(layer["weight_shape"], 4)
    groups = layer["groups"].integer(ANY_SIZE)
    layer.expect(i * groups, size_in[2], "input channels (weight_shape[3] * groups)")
    if o % groups:
        layer["groups"].fail(f"{groups} groups do not divide {o} output channels")
    pad = shape(layer["pad"], 4, (0, INT32[1]))
    stride, dilation = shape(layer["stride"], 2), shape(layer["dilation"], 2)
    size_out, axes = [], ["{}"]
    for a, kernel in enumerate((kh, kw)):
        before, after = pad[2 * a : 2 * a + 2]
        room = size_in[a] - 1 + before + after - (kernel - 1) * dilation[a]
        if room < 0 or room % stride[a]:
            layer.fail(f"the kernel, padding, stride and dilation of axis {'yx'[a]} do not fit {size_in[a]} inputs")
        size_out.append(room // stride[a] + 1)
        axes.append(f"{{.input = {size_in[a]}, .stride = {stride[a]}, .dilation = {dilation[a]}, "
                    f".before = {before}, .after = {after}}}")
    shape_out = shape(layer["output_shape"], 4)
    layer["output_shape"].expect(shape_out, [1, *size_out, o], "shape")
    weight = layer["weight"].integers(INT8, o * kh * kw * i)
    weight_zp = layer["weight_zp"].integers(INT8, 1, o)
    bias = layer["bias"].integers(INT32, 1, o) if "bias" in layer else None
    lo, hi = layer["weight_range"].integers(INT8, 2)
    scale = layer["rescale"]
    per_channel = scale["per_channel"].boolean()
    count = o if per_channel else 1
    if scale["out"].text() != "i8":
        scale["out"].fail("expected i8")
    double = "double" in scale and scale["double"].boolean()
    scale["input_zp"].integer((0, 0))
    name = f"layer{index}"
    text = array("std::int8_t", f"{name}_weight", weight) + array("std::int8_t", f"{name}_weight_zp", weight_zp)
    if bias is not None:
        text += array("std::int32_t", f"{name}_bias", bias)
    text += array("std::int32_t", f"{name}_multiplier", scale["multiplier"].integers(INT32, count))
    text += array("std::int32_t", f"{name}_shift", scale["shift"].integers(INT32, count))
    axis_lines = ",\n                       ".join(axes)
    text += f"""inline constexpr conv_layer {name}{{
    .name = {quoted(layer['name'].text())},
    .output_shape = {{{', '.join(map(str, shape_out[1:]))}}},
    .conv = {{.weight = dytq::from_ohwi(dytq::view<const std::int8_t, 4>({name}_weight, {{{o}, {kh}, {kw}, {i}}})),
             .weight_zp = {name}_weight_zp,{f'''
             .bias = {name}_bias,''' if bias is not None else ''}
             .groups = {groups},
             .input_zp = {layer['input_zp'].integer(INT8)},
             .weight_range = {{{lo}, {hi}}},
             .axes = {{{{{axis_lines}}}}}}},
    .to_codes = {{.in = dytq::code_type::i32,
                 .out = dytq::code_type::i8,
                 .output_zp = {scale['output_zp'].integer(INT8)},{'''
                 .rounding = dytq::rounding_mode::double_round,''' if double else ''}
                 .per_channel = {'true' if per_channel else 'false'}}},
    .multiplier = {name}_multiplier,
    .shift = {name}_shift}};
"""
    return text, shape_out, f"{{.kind = layer_kind::conv, .conv = &{name}}}"


def dynamic_tanh(layer, index, shape_in):
    channels = layer["channels"].integer(ANY_SIZE)
    layer["channels"].expect(channels, shape_in[3], "channels of the layer before")
    layer["output_shape"].expect(shape(layer["output_shape"], 4), shape_in, "shape")
    name = f"layer{index}"
    text = array("std::int8_t", f"{name}_table", layer["table"].integers(INT8, 256))
    halves, steps = [], []
    for half, names in (("gamma", ("table", "gamma", "gamma_out")), ("beta", ("add_in", "beta", "add_out"))):
        if half in layer:  # a variant of Dynamic Tanh may lack either
            text += array("std::int8_t", f"{name}_{half}", layer[half].integers(INT8, channels))
            halves.append(f".{half} = {name}_{half},\n               ")
            steps += names
    text += f"""inline constexpr dyt_layer {name}{{
    .name = {quoted(layer['name'].text())},
    .shape = {{{', '.join(map(str, shape_in[1:]))}}},
    .alpha = {{.alpha = {layer['alpha'].integer(INT8)},
         .steps = {rescales(layer['rescale'], ('activation', 'alpha', 'mul_out'))}}},
    .affine = {{.table = {name}_table,
               .table_zp = {layer['table_zp'].integer(INT8)},
               {''.join(halves)}.steps = {rescales(layer['rescale'], steps)}}}}};
"""
    return text, shape_in, f"{{.kind = layer_kind::dyt, .dyt = &{name}}}"


def network(root):
    size = shape(root["input_shape"], 4)
    root["input_shape"].expect(size[0], 1, "batch")
    input_size = size
    parts, entries = [], []
    for index, layer in enumerate(root["layers"].items()):
        layer["input_shape"].expect(shape(layer["input_shape"], 4), size, "shape of the layer before")
        make = {"conv": convolution, "dyt": dynamic_tanh}.get(layer["op"].text())
        if make is None:
            layer["op"].fail("expected conv or dyt")
        text, size, entry = make(layer, index, size)
        parts.append(text)
        entries.append(entry)
    if not any("::dyt" in entry for entry in entries):
        root["layers"].fail("no layer is a dyt: there is nothing to fold")
    classes = root["classes"].integer(ANY_SIZE)
    root["classes"].expect(classes, size[1] * size[2] * size[3], "outputs of the last layer")
    joined = ",\n    ".join(entries)
    parts.append(f"inline constexpr layer layers[] = {{\n    {joined}}};\n")
    return "\n".join(parts), input_size[1:], classes


# ---- the images and what is expected of them ----


def images(path, input_size):
    pixels = input_size[0] * input_size[1] * input_size[2]
    try:
        rows = list(csv.reader(read_text(path).splitlines()))
    except csv.Error as error:
        raise Malformed(f"{path.name}: {error}") from None
    header = ["index", "split", "label"] + [f"p{i}" for i in range(pixels)]
    if not rows or rows[0] != header:
        raise Malformed(f"{path.name}: line 1: expected the columns index,split,label,p0..p{pixels - 1}")
    if len(rows) < 2:
        raise Malformed(f"{path.name}: there are no images")
    codes, labels, is_test = [], [], []
    for line, row in enumerate(rows[1:], 2):
        place = f"{path.name}: line {line}"
        if len(row) != len(header):
            raise Malformed(f"{place}: expected {len(header)} columns, got {len(row)}")
        try:
            index, label, *values = [int(row[0]), int(row[2]), *map(int, row[3:])]
        except ValueError as error:
            raise Malformed(f"{place}: {error}") from None
        if index != line - 2:
            raise Malformed(f"{place}: expected image {line - 2}, got {index}")
        if row[1] not in ("train", "test"):
            raise Malformed(f"{place}: the split is train or test, got {row[1]}")
        if not all(INT8[0] <= v <= INT8[1] for v in values) or not 0 <= label <= INT32[1]:
            raise Malformed(f"{place}: a code is outside [-128, 127], or the label is negative")
        codes.append(hex_codes(values))
        labels.append(label)
        is_test.append("true" if row[1] == "test" else "false")
    text = strings("image_codes", codes) + array("std::int32_t", "image_labels", labels)
    return text + array("bool", "image_is_test", is_test), len(codes)


def expected(root, count, classes):
    logits = root["logits"].items()
    if len(logits) != count:
        root["logits"].fail(f"expected one list for each of {count} images, got {len(logits)}")
    text = strings("expected_logits", [hex_codes(row.integers(INT8, classes)) for row in logits])
    text += array("std::int32_t", "expected_classes", root["predicted"].integers((0, classes - 1), count))
    fields = [".logits = expected_logits", ".classes = expected_classes"]
    if "int8_accuracy" in root:
        accuracy = root["int8_accuracy"]
        for split in ("train", "test"):
            fields.append(f".{split} = {{{accuracy[split + '_correct'].integer((0, count))}, "
                          f"{accuracy[split + '_total'].integer((0, count))}}}")
    if "all_logits_crc32" in root:
        fields += [".has_crc32 = true", f".crc32 = {crc32(root['all_logits_crc32'])}"]
    if "checksums" in root:
        names = [name.text() for name in root["tensors"].items()]
        rows = []
        for entry in root["checksums"].items():
            image = entry["index"].integer((0, count - 1))
            sums = entry["sum"].integers((-(2**62), 2**62), len(names))
            crcs = entry["crc32"].items()
            entry["crc32"].expect(len(crcs), len(names), "entries")
            rows += [f"{{{image}, {t}, {sums[t]}, {crc32(crcs[t])}}}" for t in range(len(names))]
        if rows:
            text += strings("tensor_names", names) + array("tensor_checksum", "checksums", rows)
            fields += [".tensors = tensor_names", ".checksums = checksums"]
    return text, fields


def crc32(node):
    try:
        if len(node.text()) == 8:
            return f"0x{int(node.value, 16):08x}u"
    except ValueError:
        pass
    return node.fail("expected 8 hex digits")


def header(folder):
    root = read_json(folder / "digits_dyt.json")
    layers, input_size, classes = network(root)
    image_text, count = images(folder / "digits_images.csv", input_size)
    expected_text, fields = expected(read_json(folder / "digits_expected.json"), count, classes)
    about = "Generated by examples/digits/generate.py; do not edit.\n"
    about += "".join(f"\n{root[key].text()}" for key in ("license", "source") if key in root)
    comment = "\n".join(textwrap.fill(line, 120, initial_indent="// ", subsequent_indent="// ", break_on_hyphens=False) if line else "//"
                        for line in about.splitlines())
    joined = ",\n                 ".join(fields)
    return f"""{comment}
// clang-format off
#ifndef DYTQ_DEMO_NETWORK_DATA_HPP
#define DYTQ_DEMO_NETWORK_DATA_HPP

#include <cstdint>

#include "network.hpp"

namespace demo {{

{layers}
// Codes as two hex digits each.
{image_text}
{expected_text}
inline constexpr network the_network{{
    .name = {quoted(root['format'].text())},
    .input_shape = {{{', '.join(map(str, input_size))}}},
    .classes = {classes},
    .layers = layers,
    .images = {{.codes = image_codes, .labels = image_labels, .is_test = image_is_test}},
    .expected = {{{joined}}}}};

}}  // namespace demo

#endif
"""


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    folder, out = map(pathlib.Path, arguments)
    try:
        text = header(folder)
    except Malformed as error:
        sys.exit(f"generate.py: {error}")
    out = out / "network_data.hpp" if out.is_dir() else out
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        sys.exit(f"generate.py: {error.filename}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
