import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

@Suite("Steps of the schema")
struct SchemaStepTests {
    struct Engine: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [String]
        /// The digest of each step that was published, in order. A new step adds a line; a line never changes.
        let published: [String]
        var testDescription: String { name }
    }

    static let engines = [
        Engine(
            name: "SQLite", steps: Schema.steps,
            published: [
                "9a13f14ec8a56213b697de06414c79db", "3f9e49effceec1113dc4dfb6120fb813",
                "51ab8d1b78454c11f590032185d90fa0", "c4817ea78f876e36ac79dfe56394496f",
                "92cc076c6661ce5f4d489ad52e3266fa", "60b29f04ff7e6dcb0b7cb04421c9f69c",
                "3c1e9b5e4ab352a1fe40feb1c677a297", "f166d87ea67aab22f5d96d0f1885906d",
                "f72633a657fe21ce86d9b2fe0240e5de",
            ]),
        Engine(
            name: "PostgreSQL", steps: PostgresSchema.steps,
            published: [
                "f4ca37ce040216a2f2fcad96db7c6cda", "f6f518032f15012271a7be4c92cc35ad",
                "3736ad03ff0804cdc6dc1e609d8eb0e0",
            ]),
    ]

    @Test(
        "A published step never changes, since archives were made with it: append a new one instead",
        arguments: engines)
    func steps(_ engine: Engine) {
        #expect(engine.steps.map { String(SHA256.hex($0).prefix(32)) } == engine.published)
    }
}
