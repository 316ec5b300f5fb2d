"""Runs own code: a request is one line of JSON on stdin, and its reply one line of JSON on what was stdout."""

import ast
import asyncio
import importlib.util
import inspect
import json
import os
import re
import sys
import traceback

MOST = 1 << 20
MEMORY = 4 << 30
USUAL = {"tests": "generate_tests", "vars": "get_transform"}
ENCODE = json.JSONEncoder(allow_nan=False).encode
DECODE = json.JSONDecoder().decode


class Unusable(Exception):
    """The code cannot be run at all."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Unread:
    """Stands for an answer that is not there yet: whatever is done with it raises."""

    def __getattribute__(self, name):
        raise LookupError("there is no answer yet, and the value depends on it")

    def raises(self, *_):
        raise LookupError("there is no answer yet, and the value depends on it")

    __str__ = __repr__ = __len__ = __iter__ = __getitem__ = __contains__ = __bool__ = __eq__ = __ne__ = raises
    __add__ = __radd__ = __mod__ = __rmod__ = __mul__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = __format__ = raises
    __int__ = __float__ = __index__ = __call__ = raises


class Codes:
    """What was compiled and loaded so far."""

    def __init__(self):
        self.inline = {}
        self.modules = {}

    def function(self, request):
        if "code" in request:
            return self.compiled(request["code"])
        return self.member(request["file"], request.get("function") or USUAL.get(request.get("use"), "get_assert"))

    def compiled(self, code):
        if code not in self.inline:
            try:
                names = {"json": json}
                exec(compile(tree(code), "<code>", "exec"), names)
                self.inline[code] = names["own_code"]
            except (SyntaxError, ValueError) as error:
                raise Unusable("SYNTAX", describe(error))
        return self.inline[code]

    def member(self, path, name):
        found = self.module(path)
        for part in name.split("."):
            if not hasattr(found, part):
                raise Unusable("MALFORMED", f"{path} has no function `{name}`")
            found = getattr(found, part)
        if not callable(found):
            raise Unusable("MALFORMED", f"`{name}` of {path} is no function")
        return found

    def module(self, path):
        if path not in self.modules:
            full = os.path.abspath(path)
            if not os.path.isfile(full):
                raise Unusable("MALFORMED", f"There is no file {path} in the code directory")
            beside = os.path.dirname(full)
            if beside not in sys.path:
                sys.path.insert(0, beside)
            spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], full)
            loaded = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(loaded)
            except SyntaxError as error:
                raise Unusable("SYNTAX", describe(error))
            self.modules[path] = loaded
        return self.modules[path]


def tree(code):
    """The syntax of the function, of which each line has the number that it has in the code: the head of the function has none there."""
    try:
        parsed = ast.parse(source(code), "<code>")
    except SyntaxError as error:
        error.lineno = max(1, (error.lineno or 1) - 1)
        error.msg = re.sub(r"(?<= on line )\d+", lambda line: str(max(1, int(line[0]) - 1)), error.msg)
        raise
    return ast.increment_lineno(parsed, -1)


def source(code):
    """A function of the code: one line is an expression, more are a body."""
    if "\n" not in code:
        return "def own_code(output, context):\n return " + code + "\n"
    first = next((line for line in code.split("\n") if line.strip() and line[0] in " \t"), None)
    indent = first[: len(first) - len(first.lstrip())] if first else "    "
    return "def own_code(output, context):\n" + "\n".join(indent + line for line in code.split("\n")) + "\n"


def describe(error):
    return f"{type(error).__name__}: {error}"


def answer(codes, request):
    if request["call"] == "hello":
        return {"version": sys.version.split()[0], "path": sys.executable}
    function = codes.function(request)
    if request["call"] == "compile":
        return None
    arguments = request["arguments"]
    if request["call"] == "give":
        bound_memory()
        arguments = [Unread(), *arguments[1:]] if request["use"] == "value" else arguments
    result = function(*arguments)
    return asyncio.run(awaited(result)) if inspect.isawaitable(result) else result


def bound_memory():
    """What grows without an end fails, and does not take the memory of the machine."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    except (ImportError, ValueError, OSError):
        pass  # This system has no such bound; time is one.


async def awaited(result):
    return await result


def reply(codes, request):
    known = {"id": request["id"]}
    try:
        text = ENCODE({**known, "result": answer(codes, request)})
        most = request.get("most", MOST)
        if len(text) <= most:
            return text
        error = {"kind": "MALFORMED", "message": f"The result is longer than {most >> 20} MiB"}
    except Unusable as unusable:
        error = {"kind": unusable.kind, "message": str(unusable)}
    except BaseException as raised:
        error = {"kind": "RAISED", "message": describe(raised)[:4000], "stack": traceback.format_exc(limit=20)[-4000:]}
    return ENCODE({**known, "error": error})


def main():
    # Own code may read and print as it likes: what this program reads and writes, it does not reach by these numbers.
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb", 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.path[0:1] = [os.getcwd()]
    codes = Codes()
    for line in requests:
        replies.write(reply(codes, DECODE(line.decode("utf-8"))).encode("ascii") + b"\n")


main()
