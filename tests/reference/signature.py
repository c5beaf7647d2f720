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


def parse(text):
    """The value of a JSON text; ValueError when it is none or too deep."""

    def refuse(constant):
        raise ValueError(constant)

    try:
        value = json.loads(text.decode("utf-8"), parse_int=Number, parse_float=Number, parse_constant=refuse)
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


def read_arguments(arguments, ignore):
    """('0', None), ('j', value) or ('x', bytes)."""
    if arguments is None:
        return "0", None
    ((spelling, given),) = arguments.items()
    given = bytes.fromhex(given) if spelling.endswith("_hex") else given.encode("utf-8")
    given = given.strip(ASCII_WHITE_SPACE)
    is_json = spelling.startswith("json")
    if is_json and given.startswith(b'"') and len(given) <= MAX_JSON_BYTES:
        try:
            given = parse(given).encode("utf-8", "surrogatepass").strip(ASCII_WHITE_SPACE)
            is_json = False
        except ValueError:
            return "x", given
    if not given:
        return "0", None
    if len(given) > MAX_JSON_BYTES or not (is_json or given[:1] in (b"{", b"[")):
        return "x", given
    try:
        value = without(parse(given), ignore)
    except ValueError:
        return "x", given
    return ("0", None) if value in (None, {}) else ("j", value)


def sign(step):
    """(canonical identity, hash, text signature)"""
    kind, tool = step["kind"], step.get("tool", "")
    form, value = read_arguments(step.get("arguments"), step.get("ignore", []))
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
        identity, digest, text = sign(json.loads(line))
        try:
            answer = {"canonical": identity.decode("utf-8")}
        except UnicodeDecodeError:
            answer = {"canonical_hex": identity.hex()}
        print(json.dumps(answer | {"hash": digest, "text": text}))


if __name__ == "__main__":
    main()
