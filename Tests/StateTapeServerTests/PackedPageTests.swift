import Testing

@testable import StateTapeServer

@Suite("The packed page")
struct PackedPageTests {
    private static let page = [
        "index.html": """
        <script type="module" src="main.js"></script>
        <link rel="modulepreload" href="ui/a.js">
        <body>
        """,
        "main.js": "import { a as first, b } from './ui/a.js';\nimport('./views/workbench.js');\n",
        "ui/a.js": "export const a = 1;\nexport async function b() {}\n",
        "views/workbench.js": """
        import * as c from './c.js';
        import { a } from '../ui/a.js';
        export class Workbench {}
        const late = () => import('../late.js');
        """,
        "views/c.js": "export function* each() {}",
        "late.js": "import { a } from './ui/a.js';",
        "file/worker.js": "import { a } from '../ui/a.js';\nonmessage = () => a;",
    ]

    @Test("packs modules with those that they import") func packs() throws {
        let files = try PackedPage(Self.page).files
        #expect(files["index.html"] == "<script type=\"module\" src=\"main.js\"></script>\n<body>")
        #expect(
            files["main.js"] == """
                const modules = {};
                export { modules };
                modules['ui/a.js'] = (() => {
                const a = 1;
                async function b() {}

                return { a, b };
                })();
                modules['main.js'] = (() => {
                const { a: first, b } = modules['ui/a.js'];
                import('./views/workbench.js');

                return {  };
                })();

                """)
        #expect(
            files["views/workbench.js"] == """
                import { modules } from '../main.js';
                export { modules };
                modules['views/c.js'] = (() => {
                function* each() {}
                return { each };
                })();
                modules['views/workbench.js'] = (() => {
                const c = modules['views/c.js'];
                const { a } = modules['ui/a.js'];
                class Workbench {}
                const late = () => import('../late.js');
                return { Workbench };
                })();
                export const { Workbench } = modules['views/workbench.js'];

                """)
    }

    @Test("lets later modules import packed ones") func shares() throws {
        let files = try PackedPage(Self.page).files
        #expect(
            files["ui/a.js"]
                == "import { modules } from '../main.js';\nexport const { a, b } = modules['ui/a.js'];\n")
        #expect(
            files["views/c.js"]
                == "import { modules } from '../views/workbench.js';\nexport const { each } = modules['views/c.js'];\n"
        )
        #expect(files["late.js"] == Self.page["late.js"])
    }

    @Test("gives the worker modules of its own") func worker() throws {
        let worker = try #require(try PackedPage(Self.page).files["file/worker.js"])
        #expect(worker.hasPrefix("const modules = {};\nmodules['ui/a.js'] = "))
        #expect(!worker.contains("import"))
    }

    @Test(
        "refuses what it can't read",
        arguments: [
            "import a from './ui/a.js';", "export default 1;", "export { a } from './ui/a.js';",
            "new URL('./x.js', import.meta.url);", "import {\n  a,\n} from './ui/a.js';",
            "import { a } from './missing.js';",
        ])
    func refuses(line: String) {
        #expect(throws: PackedPage.Failure.self) {
            try PackedPage(Self.page.merging(["main.js": line]) { $1 })
        }
    }

    @Test("packs the built-in page") func builtIn() throws {
        let texts = try #require(Page.builtIn.texts)
        let files = try PackedPage(texts).files
        #expect(files.keys == texts.keys)
        #expect(files["main.js"]?.contains("modules['model/page.js'] = ") == true)
    }
}
