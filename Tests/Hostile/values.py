"""Replacements for a number, and for a value of any other type."""

# JSON texts. First whole numbers, then values that are not whole numbers or exceed the highest seq.
NUMBERS = ["-1", "0", "1", "2147483648", "4294967296", "9007199254740991", "9007199254740992", "9223372036854775807",
           "9223372036854775808", "18446744073709551616", "1e400", "-1e400", "1e-400", "-0", "1.5", "1e3", "-9223372036854775808",
           '"1"', "null", "true", "[]", "{}"]

#: A JSON text of each type.
TYPES = {"null": "null", "boolean": "true", "integer": "7", "number": "1.5", "string": '"x"', "array": "[1]",
         "object": '{"a":1}'}


def of_other_types(*allowed):
    """JSON texts of other types than these."""
    if "number" in allowed:
        allowed = (*allowed, "integer")
    return [text for name, text in TYPES.items() if name not in allowed]
