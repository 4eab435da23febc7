# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pass: chains of elementwise integer operators become their cheapest exact form, and go into the convolutions that read them.

Alpha into the TABLE, and gamma and beta into the convolution, are two cases of it. `call` is the body of a pass of ExecuTorch's Arm backend; what
such a pass asks of the backend is in `Backend`: for a real one replace that by exir_ops.backend.tosa.RESCALE.default and so on, get_param_tensor,
create_constant_placeholder, and the zero point of node.meta["input_qparams"][0]."""
import logging

import dytq
import tosa_ops as tosa
import torch
from torch.fx import GraphModule, Node

log = logging.getLogger("fold_chains")


class Backend:
    """What the pass needs to know of a graph, here of one whose constants are buffers (get_attr)."""

    def __init__(self, module: GraphModule):
        self.module = module

    def constant(self, node):
        """The tensor of a constant, or None."""
        return getattr(self.module, node.target) if isinstance(node, Node) and node.op == "get_attr" else None

    def new_constant(self, name, tensor, before):
        """A constant of its own."""
        n = 0
        while hasattr(self.module, f"{name}_{n}"):
            n += 1
        self.module.register_buffer(f"{name}_{n}", tensor)
        with self.module.graph.inserting_before(before):
            return self.module.graph.get_attr(f"{name}_{n}")

    def meta(self, node):
        """Shape and type of a node's result."""
        return node.meta["tensor_meta"]

    def input_zp(self, conv):
        return conv.kwargs.get("input_zp", 0)

    def set_input_zp(self, conv, zero_point):
        conv.kwargs = {**conv.kwargs, "input_zp": zero_point}

    def drop_unused_constants(self):
        used = {node.target for node in self.module.graph.nodes if node.op == "get_attr"}
        for name in [name for name, _ in self.module.named_buffers() if name not in used]:
            delattr(self.module, name)


class FoldChainsPass:
    """call(module) -> was it modified?  The nodes must have their shapes and types (torch.fx.passes.shape_prop, or meta["val"])."""

    def __init__(self, *, weight_range=(-127, 127), target=None):
        self.weight_range = weight_range
        self.target = target or dytq.Target(depthwise=False)  # this backend's RESCALEs alone
        self.log = []

    def call(self, module: GraphModule) -> bool:
        modified = False
        for end in list(module.graph.nodes):
            if not end._erased and self._is_end(module, end):
                modified |= self._rewrite(module, end)
        if modified:
            module.graph.eliminate_dead_code()
            Backend(module).drop_unused_constants()
            module.graph.lint()
            module.recompile()
        return modified

    # ---- matching ----

    def _step(self, backend, node):
        """The node as (step, its data input), or None if it is no elementwise operator with constants."""
        if node.op != "call_function":
            return None
        if node.target == tosa.RESCALE:
            x, dtype, scale, in_zp, out_zp = node.args
            if backend.constant(x) is not None or dtype not in (torch.int8, torch.int32):
                return None
            pairs = [dytq.quantize_scale(s) for s in scale]
            step = dytq.Step("rescale", dytq.Rescale(*pairs[0], in_zp, out_zp, out="int8" if dtype == torch.int8 else "int32"), dtype == torch.int32)
            if len(pairs) > 1:
                step.multiplier, step.shift = [p.multiplier for p in pairs], [p.shift for p in pairs]
            return step, x
        if node.target == tosa.TABLE:
            entries = backend.constant(node.args[1])
            return None if entries is None else (dytq.Step("table", table=entries), node.args[0])
        if node.target in (tosa.MUL, tosa.ADD) and not node.kwargs:
            for x, other in (node.args, node.args[::-1]):
                step = self._operand(backend, other, "mul" if node.target == tosa.MUL else "add")
                if step is not None and isinstance(x, Node) and self._operand(backend, x, "mul") is None:
                    return step, x
        return None

    def _operand(self, backend, node, op):
        """A constant operand: int32, or int8 codes through a RESCALE; one number, or one for each channel of NCHW."""
        step = dytq.Step(op)
        tensor = backend.constant(node)
        if tensor is None and isinstance(node, Node) and node.target == tosa.RESCALE and backend.constant(node.args[0]) is not None:
            codes, dtype, scale, in_zp, out_zp = node.args
            tensor = backend.constant(codes)
            if dtype != torch.int32 or len(scale) != 1 or tensor.dtype != torch.int8:
                return None
            step.scale = dytq.Rescale(*dytq.quantize_scale(scale[0]), in_zp, out_zp)
        elif tensor is None or tensor.dtype != torch.int32:
            return None
        shape = [1] * (4 - tensor.dim()) + list(tensor.shape)
        if len(shape) != 4 or shape[0] != 1 or shape[2:] != [1, 1]:
            return None
        flat = tensor.reshape(-1)
        if tensor.dtype == torch.int8:
            step.codes = flat
        else:
            step.constants = flat
        return step

    def _is_end(self, module, node):
        """The last operator of a chain: it gives int8, and no elementwise operator alone goes on from it."""
        backend = Backend(module)
        if self._step(backend, node) is None or backend.meta(node).dtype != torch.int8:
            return False
        users = list(node.users)
        return len(users) != 1 or self._step(backend, users[0]) is None or self._step(backend, users[0])[1] is not node

    def _match(self, backend, end):
        """Nodes and steps of the longest chain that ends there and starts with int8; and what enters it."""
        nodes, steps, node = [], [], end
        while (found := self._step(backend, node)) is not None and len(steps) < 32:
            nodes.insert(0, node)
            steps.insert(0, found[0])
            node = found[1]
        while nodes and backend.meta(node).dtype != torch.int8:
            node = nodes.pop(0)
            steps.pop(0)
        return node, nodes, steps

    def _reader(self, backend, node, end):
        """The convolution of a node that reads the chain's end, or None."""
        if node.op != "call_function" or node.target != tosa.CONV2D or node.args[0] is not end:
            return None
        _, weight, bias, stride, pad, dilation = node.args
        weight, bias = backend.constant(weight), backend.constant(bias)
        if weight is None or bias is None or end in node.args[1:]:
            return None
        shape = backend.meta(end).shape
        axes = [dytq.Axis(shape[2 + a], stride[a], dilation[a], pad[2 * a], pad[2 * a + 1]) for a in (0, 1)]
        return dytq.Convolution(weight, "oihw", bias, input_zp=backend.input_zp(node), weight_range=self.weight_range, axes=axes)

    # ---- rewriting ----

    def _rewrite(self, module, end):
        backend = Backend(module)
        entrance, nodes, steps = self._match(backend, end)
        if not nodes:
            return False
        channels = backend.meta(end).shape[1]
        for step in steps:  # one number for all channels is one for each
            for name in ("constants", "codes"):
                value = getattr(step, name)
                if value is not None and len(value) == 1 != channels:
                    setattr(step, name, value.expand(channels))
        convs = {user: self._reader(backend, user, end) for user in end.users}
        readers = {user: conv for user, conv in convs.items() if conv is not None}
        observed = {k for k, node in enumerate(nodes, 1) if k < len(nodes) and set(node.users) - {nodes[k]}}
        if not readers or len(readers) < len(convs):
            observed.add(len(nodes))
        try:
            plan = dytq.plan_chain(dytq.Chain(steps, channels), target=self.target, readers=list(readers.values()), observed=observed)
        except dytq.Rejected as why:
            return self._say(end, f"kept: {why}")
        if plan.operators >= plan.operators_before:
            reasons = "; ".join(f"{form}: {why}" for form, why in plan.offers.items() if why is not None and form in ("into_conv", "into_table"))
            return self._say(end, f"kept, {plan.operators} operators: {reasons}")
        original = [entrance, *nodes]
        value = dict(enumerate(original))  # at each cut: what gives its code now
        after = end.next  # where new operators go: all that they read is before it
        current = entrance
        for stretch in plan.stretches:
            start = value[stretch.start]
            if not stretch.beside:
                start = current
            if stretch.form == "keep":
                made = self._copy(module, nodes[stretch.start:stretch.end], original[stretch.start], start, after)
            else:
                made = start
                for step in plan.steps[slice(*stretch.steps)]:
                    made = self._make(backend, step, made, end, after)
            if not stretch.beside:
                current = made
            if stretch.beside or stretch.form not in ("into_conv", "into_table_and_conv"):
                self._replace(nodes, stretch.end, value, made, readers)
        for i, (conv, old) in enumerate(readers.items()):
            conv.replace_input_with(end, current) if current is not end else None
            if plan.folds:
                self._new_constants(backend, conv, old, plan.folds[i])
        return self._say(end, ", ".join(s.form for s in plan.stretches) + f": {plan.operators_before} operators become {plan.operators}") or True

    def _say(self, node, text):
        self.log.append((node.name, text))
        log.info("%s: %s", node.name, text)
        return False

    def _copy(self, module, nodes, was, start, after):
        """The operators as they are, if they read what they read."""
        if start is was:
            return nodes[-1]
        for node in nodes:
            with module.graph.inserting_before(after):
                copied = module.graph.node_copy(node, lambda n, was=was, start=start: start if n is was else n)
            copied.meta = dict(node.meta)
            was, start = node, copied
        return start

    def _replace(self, nodes, cut, value, made, readers):
        """Whoever else reads the code at a cut reads what is made."""
        old = nodes[cut - 1]
        if made is old:
            return
        for user in list(old.users):
            if user not in nodes and user not in readers and user is not made:
                user.replace_input_with(old, made)
        value[cut] = made

    def _make(self, backend, step, x, end, after):
        """A new operator."""
        graph = backend.module.graph
        if step.op == "table":
            entries = backend.new_constant("table", torch.tensor(step.table.tolist(), dtype=torch.int8), after)
            target, args = tosa.TABLE, (x, entries)
        elif step.op == "rescale":
            pairs = [(step.scale.multiplier, step.scale.shift)]
            if step.multiplier is not None:
                pairs = list(zip(step.multiplier.tolist(), step.shift.tolist()))
            dtype = torch.int32 if step.wide else torch.int8
            target, args = tosa.RESCALE, (x, dtype, [m * 2.0 ** -s for m, s in pairs], step.scale.input_zp, step.scale.output_zp)
        elif step.op == "clamp":
            target, args = torch.ops.aten.clamp.default, (x, *step.range)
        else:
            raise NotImplementedError(step.op)  # a target that offers it would say how
        with graph.inserting_before(after):
            node = graph.call_function(target, args)
        node.meta = dict(end.meta)
        return node

    def _new_constants(self, backend, conv, old, fold):
        """Constants of its own, in the layout that it had; others may read the old ones."""
        backend.set_input_zp(conv, fold.input_zp)
        if not fold.constants_changed:
            return
        _, weight, bias, *rest = conv.args
        new = torch.empty_like(old.weight)  # strides included
        new.copy_(torch.as_tensor(fold.weight))
        conv.args = (conv.args[0], backend.new_constant("weight", new, conv),
                     backend.new_constant("bias", torch.as_tensor(fold.bias).clone(), conv), *rest)
