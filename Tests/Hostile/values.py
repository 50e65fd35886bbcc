"""What stands in place of a number, and in place of a value of any other type."""

#: JSON texts. Whole numbers come first; what follows is no whole number at all, or past what a seq may be.
NUMBERS = ["-1", "0", "1", "2147483648", "4294967296", "9007199254740991", "9007199254740992", "9223372036854775807",
           "9223372036854775808", "18446744073709551616", "1e400", "-1e400", "1e-400", "-0", "1.5", "1e3", "-9223372036854775808",
           '"1"', "null", "true", "[]", "{}"]

#: A JSON text of each type.
TYPES = {"null": "null", "boolean": "true", "integer": "7", "number": "1.5", "string": '"x"', "array": "[1]",
         "object": '{"a":1}'}


def of_other_types(*allowed):
    """JSON texts that are of none of these types."""
    if "number" in allowed:
        allowed = (*allowed, "integer")
    return [text for name, text in TYPES.items() if name not in allowed]
