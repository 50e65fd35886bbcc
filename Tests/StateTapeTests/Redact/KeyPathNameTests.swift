import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

private struct Settings {
    struct Theme {
        var isDark = false
        var size = 1.0
    }

    var theme = Theme()
    var other: Theme?
    var title = ""
    var values: [String: Int] = [:]
    var all: [Theme] { [theme] }
}

private struct Account {
    var id = 1
    var rows: [Row?] = []
    var name: String { "x" }

    enum Row { case card(Card), none }
    struct Card { var _cardNumber = "" }
}

@Suite("Key paths by name")
struct KeyPathNameTests {
    private func text(_ path: AnyKeyPath) -> String { KeyPathName.text(of: path, .standard) }

    @Test("Stored properties have their names, others their types, without addresses")
    func names() {
        #expect(text(\Settings.title) == #"\Settings.title"#)
        #expect(text(\Settings.theme.isDark as PartialKeyPath) == #"\Settings.theme.isDark"#)
        #expect(text(\Settings.other?.size) == #"\Settings.other?.size?"#)
        #expect(text(\Settings.all) == #"\Settings.<computed Array<Theme>>"#)
        #expect(text(\Settings.all[0].size) == #"\Settings.<computed Array<Theme>>.<computed Theme>.size"#)
    }

    @Test("A part without a name may be a secret's if the root stores one, at any depth")
    func computed() {
        #expect(text(\Account.name) == #"\Account.<computed String, maybe cardNumber>"#)
        #expect(text(\Account.id) == #"\Account.id"#)
        #expect(KeyPathName.text(of: \Account.name, .none) == #"\Account.<computed String>"#)
    }

    @Test("A runtime that describes no key path leaves the layout to tell")
    func stored() {
        #expect(KeyPathName.stored(\Settings.theme.size) == ["theme", "size"])
        #expect(KeyPathName.stored(\Settings.title) == ["title"])
        #expect(KeyPathName.stored(\Settings.theme) == ["theme"])
        #expect(KeyPathName.stored(\Settings.all) == nil)
        #expect(KeyPathName.stored(\Settings.other?.size) == nil)
    }

    @Test("A key path is written anywhere in a reflected value")
    func reflected() throws {
        struct State {
            var sort: PartialKeyPath<Settings> = \.title
            var all: [AnyKeyPath] = [\Settings.theme]
            var any: Any = \Settings.title
        }
        let buffer = ByteBuffer()
        try DirectEncoder().encode(Reflected(State()), to: buffer)
        #expect(
            try JSON(parsing: buffer.bytes)
                == ["sort": #"\Settings.title"#, "all": [#"\Settings.theme"#], "any": #"\Settings.title"#])
    }
}
