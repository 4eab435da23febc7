# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes modules of TOSA operators as MLIR text: functions over int8 tensors, and a `main` that runs them."""
import struct

INT8 = (-128, 127)
INT32 = (-(2**31), 2**31 - 1)


def tensor(shape, element):
    return f"tensor<{'x'.join([*map(str, shape), element])}>"


def dense(values, element):
    """An elements attribute: hexadecimal where it is long, else as numbers."""
    values = list(values)
    if len(set(values)) == 1:
        return f"dense<{values[0]}>"
    packed = struct.pack(f"<{len(values)}{'b' if element == 'i8' else 'i'}", *values)
    return f'dense<"0x{packed.hex().upper()}">'


class Function:
    """The body of one function. Values are (name, shape, element)."""

    def __init__(self, name, arguments, private=True):
        self.name, self.private, self.lines, self.count = name, private, [], 0
        self.arguments = [(f"%arg{i}", shape, element) for i, (shape, element) in enumerate(arguments)]
        self.results = []

    def emit(self, text, shape, element):
        self.count += 1
        self.lines.append(f"%{self.count} = {text}")
        return f"%{self.count}", tuple(shape), element

    def op(self, name, operands, attributes, shape, element):
        names = ", ".join(v[0] for v in operands)
        types = ", ".join(v[1] if isinstance(v[1], str) else tensor(v[1], v[2]) for v in operands)
        attributes = f" {{{attributes}}}" if attributes else ""
        return self.emit(f"tosa.{name} {names}{attributes} : ({types}) -> {tensor(shape, element)}", shape, element)

    def const(self, values, shape, element):
        text = f'"tosa.const"() <{{values = {dense(values, element)} : {tensor(shape, element)}}}>'
        return self.emit(f"{text} : () -> {tensor(shape, element)}", shape, element)

    def rescale(self, value, step, multipliers=None):
        """step: multiplier, shift, input_zp, output_zp, out ("i8" or "i32"), optional double and scale16."""
        out = step["out"]
        many = isinstance(step["multiplier"], list)
        multiplier = step["multiplier"] if many else [step["multiplier"]]
        shift = step["shift"] if many else [step["shift"]]
        operands = [
            value,
            self.const(multiplier, [len(multiplier)], "i32"),
            self.const(shift, [len(shift)], "i8"),
            self.const([step["input_zp"]], [1], value[2]),
            self.const([step["output_zp"]], [1], out),
        ]
        attributes = (
            f"rounding_mode = {'DOUBLE_ROUND' if step.get('double') else 'SINGLE_ROUND'}, scale32 = true, "
            f"per_channel = {'true' if many else 'false'}, input_unsigned = false, output_unsigned = false"
        )
        return self.op("rescale", operands, attributes, value[1], out)

    def combine(self, name, activation, constant, swapped):
        """MUL or ADD of an activation and a constant; `swapped`: the constant comes first."""
        operands = [constant, activation] if swapped else [activation, constant]
        if name == "mul":
            operands.append(self.const([0], [1], "i8"))
        return self.op(name, operands, "", activation[1], "i32")

    def table(self, value, entries):
        return self.op("table", [value, self.const(entries, [256], "i8")], "", value[1], "i8")

    def conv(self, value, conv):
        """conv: weight, weight_shape (as TOSA stores it), bias, input_zp, weight_zp, pad, stride, dilation, depthwise."""
        shape = conv["weight_shape"]
        kernel = shape[:2] if conv["depthwise"] else shape[1:3]
        channels = shape[2] * shape[3] if conv["depthwise"] else shape[0]
        room = [value[1][a + 1] - 1 + conv["pad"][2 * a] + conv["pad"][2 * a + 1] - (kernel[a] - 1) * conv["dilation"][a]
                for a in (0, 1)]
        out = [value[1][0], *(room[a] // conv["stride"][a] + 1 for a in (0, 1)), channels]
        operands = [
            value,
            self.const(conv["weight"], shape, "i8"),
            self.const(conv["bias"], [len(conv["bias"])], "i32"),
            self.const([conv["input_zp"]], [1], "i8"),
            self.const([conv["weight_zp"]], [1], "i8"),
        ]
        attributes = "acc_type = i32, " + ", ".join(
            f"{name} = array<i64: {', '.join(map(str, conv[name]))}>" for name in ("pad", "stride", "dilation"))
        return self.op("depthwise_conv2d" if conv["depthwise"] else "conv2d", operands, attributes, out, "i32")

    def transpose(self, value, perms):
        shape = [value[1][p] for p in perms]
        return self.op("transpose", [value], f"perms = array<i32: {', '.join(map(str, perms))}>", shape, value[2])

    def slice(self, value, start, size):
        def const_shape(values):
            rank = len(values)
            values = f"dense<{list(values)}> : tensor<{rank}xindex>"
            name, _, _ = self.emit(f"tosa.const_shape {{values = {values}}} : () -> !tosa.shape<{rank}>", [], "")
            return name, f"!tosa.shape<{rank}>", ""

        return self.op("slice", [value, const_shape(start), const_shape(size)], "", size, value[2])

    def text(self):
        arguments = ", ".join(f"{name}: {tensor(shape, element)}" for name, shape, element in self.arguments)
        types = ", ".join(tensor(shape, element) for _, shape, element in self.results)
        names = ", ".join(name for name, _, _ in self.results)
        head = f"func.func {'private ' if self.private else ''}@{self.name}({arguments}) -> ({types}) {{"
        return "\n".join([head, *("  " + line for line in self.lines), f"  return {names} : {types}" if names else "  return", "}"])


def half(function, value, steps, constant, name, swapped=False):
    """RESCALE(value), RESCALE(constant), MUL or ADD, RESCALE. steps: of value, constant and result."""
    shape = [1] * (len(value[1]) - 1) + [len(constant)]
    a = function.rescale(value, steps[0])
    b = function.rescale(function.const(constant, shape, "i8"), steps[1])
    return function.rescale(function.combine(name, a, b, swapped), steps[2])


def module(functions, inputs):
    """Functions, and a main that calls each with its inputs and prints what it returns. inputs: {name: [values]}."""
    main = Function("main", [], private=False)
    for function in functions:
        arguments = [main.const(values, shape, element)
                     for values, (_, shape, element) in zip(inputs[function.name], function.arguments)]
        names = ", ".join(a[0] for a in arguments)
        types = ", ".join(tensor(a[1], a[2]) for a in arguments)
        results = ", ".join(tensor(shape, element) for _, shape, element in function.results)
        main.count += 1
        group = f"%{main.count}"
        many = len(function.results) > 1
        main.lines.append(f"{group}{f':{len(function.results)}' if many else ''} = "
                          f"call @{function.name}({names}) : ({types}) -> ({results})")
        for i, (_, shape, element) in enumerate(function.results):
            value = (f"{group}#{i}" if many else group, shape, element)
            if element != "i32":
                value = main.op("cast", [value], "", shape, "i32")
            wide, _, _ = main.emit(f"tensor.cast {value[0]} : {tensor(shape, 'i32')} to tensor<*xi32>", [], "")
            main.lines.append(f"call @printMemrefI32({wide}) : (tensor<*xi32>) -> ()")
    parts = ["func.func private @printMemrefI32(tensor<*xi32>)", *(f.text() for f in functions), main.text()]
    return "\n\n".join(parts) + "\n"
