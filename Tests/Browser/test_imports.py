"""The modules of `web` import in one direction: down the layers, and never in a circle."""

import posixpath
import re

from processes import ROOT

WEB = ROOT / "web"
#: What the modules of each folder may import beside their own neighbours. `json` knows values, pointers and patches,
#: `ui` the controls, `link` the server. `file` reads tapes in a worker and answers in the server's place, so `model`
#: needs nothing of it.
LAYERS = {
    "json": set(),
    "ui": set(),
    "link": {"json"},
    "file": {"json", "ui", "link"},
    "model": {"json", "ui", "link"},
    "views": {"json", "ui", "link", "file", "model"},
    "main.js": {"json", "ui", "link", "file", "model", "views"},
}

IMPORT = re.compile(
    r"""^(?:import|export)\b[^'"();]*?\sfrom\s+'(\.[^']+)'"""  # import { a } from './a.js'
    r"""|^import\s+'(\.[^']+)'"""  # import './a.js'
    r"""|\bimport\(\s*'(\.[^']+)'\s*\)"""  # import('./a.js')
    r"""|\bnew URL\('(\.[^']+)', import\.meta\.url\)""",  # the worker
    re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)


def imports(path, text):
    """The paths that a module imports, at once or later; types in comments are none."""
    found = [next(filter(None, match)) for match in IMPORT.findall(COMMENT.sub("", text))]
    return sorted({posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in found})


def upward(graph):
    """Each import that the layers don't allow."""
    for path, others in graph.items():
        layer = path.split("/")[0]
        for other in others:
            target = other.split("/")[0]
            if target != layer and target not in LAYERS[layer]:
                yield f"{path} imports {other}"


def circle(graph):
    """The first circle of imports, or None."""
    done = set()

    def visit(path, above):
        if path in above:
            return [*above[above.index(path):], path]
        if path in done:
            return None
        found = next(filter(None, (visit(other, [*above, path]) for other in graph.get(path, []))), None)
        done.add(path)
        return found

    return next(filter(None, (visit(path, []) for path in graph)), None)


def modules():
    # onefile.js is a script of its own: it carries the others.
    return {str(file.relative_to(WEB)): file.read_text() for file in sorted(WEB.rglob("*.js")) if file.name != "onefile.js"}


def test_imports_are_found():
    text = "\n".join(["import { a,", "  b } from './b.js';", "import './c.js';", "export { d } from '../d.js';", "/** @type {import('./type.js').T} */",
        "// import './none.js';", "const later = () => import('./later.js');", "new Worker(new URL('./worker.js', import.meta.url));"])
    assert imports("views/a.js", text) == ["d.js", "views/b.js", "views/c.js", "views/later.js", "views/worker.js"]


def test_each_import_names_a_module():
    graph = {path: imports(path, text) for path, text in modules().items()}
    assert [f"{path} imports {other}" for path, others in graph.items() for other in others if other not in graph] == []


def test_no_module_imports_from_a_layer_above():
    assert list(upward({path: imports(path, text) for path, text in modules().items()})) == []


def test_no_modules_import_each_other():
    found = circle({path: imports(path, text) for path, text in modules().items()})
    assert found is None, " → ".join(found)
