# SPDX-License-Identifier: MIT
"""Random specs, the same for a seed everywhere: graphs that no one would lay out by hand, with
hubs that many ops read, skips over many rows, several inputs and outputs, and groups in groups.

Every value is [T, k*D] for a small k, so that most ops fit; scores of an attention are
[query, key] and are used up at once.
"""
import random

WIDTH = 4           # of inputs, in D


class Spec:
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(seed)
        self.values = []        # [id, width, readers]
        self.weights = []
        self.count = 0
        self.hub = None

    # only random() keeps its sequence across versions of Python
    def chance(self, p):
        return self.random.random() < p

    def below(self, n):
        return int(self.random.random() * n)

    def choose(self, items):
        return items[self.below(len(items))]

    def value(self, width=None, but=()):
        """An operand: mostly fresh ones, now and then the hub or one from far above."""
        fit = [v for v in self.values if width in (None, v[1]) and v[0] not in but]
        if not fit:
            return None
        if self.hub in fit and self.chance(0.25):
            return self.hub
        unread = [v for v in fit if not v[2]]
        if unread and self.chance(0.6):
            return self.choose(unread)
        return self.choose(fit[-4:] if self.chance(0.6) else fit)

    def weight(self, *shape):
        name = f"{'W' if len(shape) == 2 else 'g'}_{len(self.weights) + 1}"
        self.weights.append(f"  {name}: {{shape: [{', '.join(f'{k}*D' for k in shape)}]}}")
        return name

    def write(self, op, operands, width, more="", results=1):
        """One op as YAML; its result becomes a value. Some results are labelled."""
        self.count += 1
        name = f"n{self.count}"
        for operand in operands:
            if isinstance(operand, list):
                operand[2] += 1
        words = ", ".join(o[0] if isinstance(o, list) else o for o in operands)
        if results == 1:
            label = f", label: 'u_{{{self.count}}}'" if self.chance(0.3) else ""
            self.values.append([name, width, 0])
        else:
            names = [f"{name}{letter}" for letter in "abc"[:results]]
            label = f", out: [{', '.join(names)}]"
            self.values += [[each, width, 0] for each in names]
        return [f"- {{id: {name}, op: {op}, in: [{words}]{more}{label}}}"]

    def attention(self):
        q = self.value()
        k = self.value(q[1])
        v = self.value()
        lines = self.write("matmul", [q, k], 0, ", transpose: b, axes: [query, key]")
        scores = self.values.pop()
        lines += self.write("softmax", [scores], 0, ", over: key")
        probs = self.values.pop()
        return lines + self.write("matmul", [probs, v], v[1])

    def op(self):
        kind = self.below(20)
        x = self.value()
        if kind < 5:
            other = self.value(x[1], but=(x[0],))
            if other:
                return self.write(("add", "mul")[kind % 2], [x, other], x[1])
        if kind < 7:
            return self.write(("silu", "sigmoid")[kind % 2], [x], x[1])
        if kind < 10:
            return self.write("rmsnorm", [x, self.weight(x[1])], x[1], ", eps: 1e-6")
        if kind < 14:
            width = self.choose((2, WIDTH, WIDTH, 6))
            return self.write("matmul", [x, self.weight(x[1], width)], width)
        if kind < 16 and x[1] % 2 == 0:
            half = x[1] // 2
            return self.write("split", [x], half, f", sizes: [{half}*D, {half}*D]", 2)
        if kind < 17 and x[1] % 3 == 0:
            part = x[1] // 3
            return self.write("split", [x], part, f", sizes: [{part}*D, {part}*D, {part}*D]", 3)
        if kind < 18:
            other = self.value(but=(x[0],))
            if other and x[1] + other[1] <= 8:
                return self.write("concat", [x, other], x[1] + other[1], ", axis: -1")
        return self.attention()

    def body(self, count, depth=0):
        lines = []
        while count > 0:
            if depth < 2 and count > 3 and self.chance(0.22):
                inside = 2 + self.below(min(count - 2, 6))
                name = f"group{self.seed}_{self.count}_{depth}"
                lines += [f"- group: {name}", f"  title: part {'AB'[depth]}", "  ops:"]
                lines += ["    " + line for line in self.body(inside, depth + 1)]
                count -= inside
            else:
                if self.values and (self.hub is None or self.chance(0.1)):
                    self.hub = self.choose(self.values[-3:])
                lines += self.op()
                count -= 1
        return lines

    def residual(self, whole):
        """A stream with branches that read it and are added to it, the usual case; whole: all
        that a branch makes is added, and nothing else leaves it."""
        lines, stream = [], self.values[0]
        for _ in range(2 + self.below(2)):
            self.hub, before = stream, self.values
            self.values = [stream]
            inner = self.write("rmsnorm", [stream, self.weight(stream[1])], stream[1], ", eps: 1e-6")
            if whole:
                self.hub, self.values = self.values[-1], self.values[1:]
            inner += self.body(2 + self.below(4), depth=1)
            if whole:
                inner += self.join(1)
            made = [v for v in self.values if v is not stream]
            last = [v for v in made if not v[2]][-1]
            if last[1] != stream[1]:
                inner += self.write("matmul", [last, self.weight(last[1], stream[1])], stream[1])
                last = self.values[-1]
                made.append(last)
            lines += [f"- group: block{self.count}", "  title: a branch", "  ops:"]
            lines += ["    " + line for line in inner]
            self.values = before + made
            lines += self.write("add", [stream, last], stream[1])
            stream = self.values[-1]
        return lines

    def join(self, most):
        """Ops that leave few values unread."""
        lines = []
        while len(loose := [v for v in self.values if v[2] == 0]) > most:
            pair = next(((a, b) for i, a in enumerate(loose) for b in loose[i + 1:] if a[1] == b[1]),
                        None)
            a, b = pair or loose[:2]
            if pair:
                lines += self.write(self.choose(("add", "mul")), [a, b], a[1])
            else:
                lines += self.write("concat", [a, b], a[1] + b[1], ", axis: -1")
        return lines


def write(seed):
    """The YAML of one random spec: one in three is a residual stream and nothing else, one in
    three begins with one."""
    spec = Spec(seed)
    inputs = 1 if seed % 3 == 0 else 1 + seed % 4
    spec.values = [[f"x{i}" if i else "x", WIDTH, 0] for i in range(inputs)]
    names = [v[0] for v in spec.values]
    ops = spec.residual(seed % 3 == 0) if seed % 3 < 2 else []
    if seed % 3:
        ops += spec.body(4 + spec.below(11))
        ops += spec.join(1 + seed % 4)
    outputs = [v[0] for v in spec.values if v[2] == 0]
    lines = ["opfig: 1", f"name: random-{seed}", f"title: Random graph of <count()> ops", "dims:",
             "  T: {is: 8, what: tokens}", "  D: {is: 4, what: unit of width}", "inputs:"]
    lines += [f"  {name}: {{shape: [T, {WIDTH}*D]}}" for name in names]
    if spec.weights:
        lines += ["weights:"] + spec.weights
    lines += ["ops:"] + ["  " + line for line in ops]
    return "\n".join(lines + [f"outputs: [{', '.join(outputs)}]", ""])
