"""The signature of a step, written from docs/SIGNATURE.md on Python's own json and decimal.

Reads one step a line as JSON and writes what it signs to, one line each:

    in   {"kind": "tool", "tool": "bash", "arguments": {"json": "{\"a\":1.0}"}, "ignore": []}
    out  {"canonical": "t...", "hash": "16 hex digits", "text": "bash|a=1"}

`arguments` is null or has one key: `json` or `text` (a string), `json_hex` or `text_hex` (any bytes). A canonical
identity that is not UTF-8 is written as `canonical_hex`.
"""

import codecs
import json
import sys
from decimal import Decimal

try:
    import xxhash
except ImportError:
    sys.exit("the reference needs the Python package xxhash: pip install xxhash")

MAX_DEPTH = 128
MAX_JSON_BYTES = 1 << 20
ASCII_WHITE_SPACE = b" \t\n\r\x0c"

sys.set_int_max_str_digits(0)


class Number:
    """A JSON number as its normal form."""

    def __init__(self, spelled):
        mantissa, _, exponent = spelled.lower().partition("e")
        sign, digits, scale = Decimal(mantissa).as_tuple()
        n = len(digits) + scale + int(exponent or 0)
        digits = "".join(map(str, digits)).rstrip("0")
        self.form = ("-" if sign else "") + layout(digits, n) if digits else "0"


def layout(digits, n):
    if len(digits) <= n <= 21:
        return digits.ljust(n, "0")
    if 0 < n <= 21:
        return digits[:n] + "." + digits[n:]
    if -6 < n <= 0:
        return "0." + "0" * -n + digits
    return digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{n - 1:+d}"


def load(text):
    """The value of a JSON text, numbers exactly; ValueError when it is none."""

    def refuse(constant):
        raise ValueError(constant)

    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=refuse)


def parse(text):
    """The value of arguments given as bytes; ValueError when they are no JSON or too deep."""
    try:
        value = load(text.decode("utf-8"))
    except RecursionError:
        raise ValueError("too deep")
    if depth(value) > MAX_DEPTH:
        raise ValueError("too deep")
    return value


def depth(value):
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def without(value, ignore, path=()):
    if isinstance(value, list):
        return [without(item, ignore, path) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: without(item, ignore, path + (key,))
        for key, item in value.items()
        if not any(ignored(entry, path, key) for entry in ignore)
    }


def ignored(entry, path, key):
    if "." not in entry:
        return entry == key
    return tuple(entry.split(".")) == path + (key,) or (path == () and entry == key)


def sorted_items(value):
    return sorted(value.items(), key=lambda item: item[0].encode("utf-8", "surrogatepass"))


def canonical_json(value):
    if isinstance(value, dict):
        return "{" + ",".join(canonical_json(k) + ":" + canonical_json(v) for k, v in sorted_items(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    if isinstance(value, Number):
        return value.form
    return json.dumps(value, ensure_ascii=False)


def utf8(text):
    """UTF-8, lone surrogates as \\udxxx."""
    return text.encode("utf-8", "backslashreplace")


def surrogate_or_replacement(error):
    """Bytes that are no UTF-8: a surrogate is kept, anything else becomes U+FFFD."""
    three = error.object[error.start : error.start + 3]
    try:
        return three.decode("utf-8", "surrogatepass"), error.start + 3
    except UnicodeDecodeError:
        return "\ufffd", error.end


codecs.register_error("surrogate_or_replacement", surrogate_or_replacement)


def read_given(arguments, ignore):
    """Arguments as a line of the batch gives them: ('0', None), ('j', value) or ('x', bytes)."""
    if arguments is None:
        return "0", None
    ((spelling, given),) = arguments.items()
    given = bytes.fromhex(given) if spelling.endswith("_hex") else given.encode("utf-8")
    given = given.strip(ASCII_WHITE_SPACE)
    if spelling.startswith("text"):
        return read_text(given, ignore)
    if not given:
        return "0", None
    if len(given) > MAX_JSON_BYTES:
        return "x", given
    try:
        return read_value(parse(given), ignore)
    except ValueError:
        return "x", given


def read_text(text, ignore):
    if not text:
        return "0", None
    if text[:1] not in (b"{", b"[") or len(text) > MAX_JSON_BYTES:
        return "x", text
    try:
        return read_value(parse(text), ignore)
    except ValueError:
        return "x", text


def read_value(value, ignore):
    if isinstance(value, str):
        return read_text(value.encode("utf-8", "surrogatepass").strip(ASCII_WHITE_SPACE), ignore)
    value = without(value, ignore)
    return ("0", None) if value in (None, {}) else ("j", value)


def sign(kind, tool, form, value):
    """(canonical identity, hash, text signature)"""
    if kind in ("summary", "user"):
        tool, form = "", "0"
    payload = {"0": lambda: b"", "x": lambda: value, "j": lambda: utf8(canonical_json(value))}[form]()
    name = tool.encode("utf-8")
    identity = kind[0].encode() + len(name).to_bytes(4, "little") + name + form.encode() + payload
    return identity, f"{xxhash.xxh3_64_intdigest(identity):016x}", tool + "|" + text_of(form, value)


def text_of(form, value):
    if form == "0":
        return ""
    if form == "x":
        value = value.decode("utf-8", "surrogate_or_replacement")
    if isinstance(value, dict):
        members = (f"{k}={v if isinstance(v, str) else canonical_json(v)}" for k, v in sorted_items(value))
        return utf8(",".join(members)).decode("utf-8")
    return utf8(canonical_json(value)).decode("utf-8")


def main():
    for line in sys.stdin.buffer:
        step = json.loads(line)
        arguments = read_given(step["arguments"], step.get("ignore", []))
        identity, digest, text = sign(step["kind"], step["tool"], *arguments)
        try:
            answer = {"canonical": identity.decode("utf-8")}
        except UnicodeDecodeError:
            answer = {"canonical_hex": identity.hex()}
        print(json.dumps(answer | {"hash": digest, "text": text}))


if __name__ == "__main__":
    main()
