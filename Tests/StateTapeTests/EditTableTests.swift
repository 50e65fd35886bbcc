import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

/// What survives which edit of a state's types: the value, and the exact lists of the answer.
@Suite("The states of older builds, edit by edit")
struct EditTableTests {
    /// An edit of the types between two builds.
    struct Edit: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let restore: @Sendable () throws -> (state: JSON, adjustments: Adjustments)
        /// The state of the new build, as JSON.
        let state: String
        var filled: [String] = []
        var ignored: [String] = []
        /// `PATH INSTEAD: REASON`, with `secret` before the path of a secret.
        var lost: [String] = []

        /// - Parameters:
        ///   - tape: The recorded state.
        ///   - initial: The initial state of the new build.
        init<New: Codable & Sendable>(
            _ edit: String, _ tape: String, over initial: New, gives state: String, filled: [String] = [],
            ignored: [String] = [], lost: [String] = []
        ) {
            testDescription = edit
            restore = {
                let tree = try TreeEncoder().tree(of: initial)
                // As for a launch: the initial state's secrets only stand in for those that the tape lacks.
                var secrets: [Adjustments.Loss] = []
                let whole = try JSON(parsing: tape).keeping(tree) { _, _ in
                    Redacted.json
                } kept: { place in
                    secrets.append(OverlayRepair.initialSecret(place.description))
                }
                var outcome = try Overlay.restore(New.self, from: whole, over: tree)
                outcome.adjustments.lost = secrets + outcome.adjustments.lost
                let state = try TreeEncoder().tree(of: outcome.value)
                return (state, Redactor.standard.readable(outcome.adjustments))
            }
            self.state = state
            (self.filled, self.ignored, self.lost) = (filled, ignored, lost)
        }
    }

    // The shop of the new build. The old one also had the unit `each`, and its prices were cases of an enum.
    enum Unit: String, Codable { case gram, litre }
    enum Rating: Int, Codable { case good, bad }
    enum Price: Codable, Equatable {
        case free
        case weighed(Int)
    }
    struct Product: Codable, Equatable { var name: String; var price: Price }
    struct Shop: Codable, Equatable { var open = true; var products: [Product] = [] }
    struct Known: Codable { var id: Int; var price: Price }
    struct Catalogue: Codable { var open = true; var products: [Known] = []; var named: [String: Product] = [:] }
    struct Rated: Codable { var name: String; var rating: Rating }
    struct Ratings: Codable { var all: [Rated] = []; var count = 0 }
    struct Measured: Codable { var name: String; var unit: Unit; var note: String? }
    struct Measures: Codable { var unit = Unit.litre; var all: [Measured] = []; var byName: [String: Measured] = [:] }
    struct Badge: Codable { var unit: Unit }
    struct Badged: Codable { var name: String; var badge: Badge? }
    struct Badges: Codable { var all: [Badged] = []; var units: Set<Unit> = []; var count = 0 }
    struct Count: Codable { var count = 7; var counts: [Int] = []; var title = "t" }
    struct Settings: Codable { var size = 12; var theme = "light" }
    struct Nested: Codable { var settings = Settings(); var done = false }
    struct Session: Codable {
        var user = ""; var token = ""; var pin: Int?;
        var sessionToken = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    struct Account: Codable { var id: Int; var name: String; var password: String }
    struct Accounts: Codable { var accounts: [Account] = []; var count = 0 }
    struct Device: Codable { var name: String; var token: UUID }
    struct Devices: Codable { var all: [Device] = []; var count = 0 }

    private static let secret = #"{"$redacted":true}"#
    private static let tea = #"{"name":"tea","price":{"weighed":{"_0":3}}}"#
    private static let enumKeys = "Invalid number of keys found, expected one."

    static let edits: [Edit] = [
        Edit(
            "no edit", #"{"count":5,"counts":[1],"title":"x"}"#, over: Count(),
            gives: #"{"count":5,"counts":[1],"title":"x"}"#),
        Edit(
            "a member of the state is added", #"{"count":5,"counts":[]}"#, over: Count(),
            gives: #"{"count":5,"counts":[],"title":"t"}"#, filled: ["/title"]),
        Edit(
            "a member of a nested struct is added", #"{"settings":{"size":3},"done":true}"#, over: Nested(),
            gives: #"{"settings":{"size":3,"theme":"light"},"done":true}"#, filled: ["/settings/theme"]),
        Edit(
            "a member is removed", #"{"count":5,"counts":[],"title":"x","old":1}"#, over: Count(),
            gives: #"{"count":5,"counts":[],"title":"x"}"#, ignored: ["/old"]),
        Edit(
            "a member is renamed", #"{"count":5,"counts":[],"name":"x"}"#, over: Count(),
            gives: #"{"count":5,"counts":[],"title":"t"}"#, filled: ["/title"], ignored: ["/name"]),
        Edit(
            "the type of a member is changed", #"{"count":"five","counts":[],"title":"x"}"#, over: Count(),
            gives: #"{"count":7,"counts":[],"title":"x"}"#,
            lost: ["/count initial: expected a number, found a string"]),
        Edit(
            "the type of the elements is changed", #"{"count":5,"counts":["1","2"],"title":"x"}"#, over: Count(),
            gives: #"{"count":5,"counts":[],"title":"x"}"#,
            lost: [
                "/counts/0 removed: expected a number, found a string",
                "/counts/1 removed: expected a number, found a string",
            ]),
        Edit(
            "a case is removed: a member of the state", #"{"unit":"each","all":[],"byName":{}}"#, over: Measures(),
            gives: #"{"unit":"litre","all":[],"byName":{}}"#,
            lost: ["/unit initial: Cannot initialize Unit from invalid String value each"]),
        Edit(
            "a case is removed: an element never takes another one's value",
            #"{"open":false,"products":[\#(tea),{"name":"pot","price":{"each":{"_0":9}}}]}"#, over: Shop(),
            gives: #"{"open":false,"products":[\#(tea)]}"#,
            lost: ["/products/1 removed: \(enumKeys) (at /products/1/price)"]),
        Edit(
            "a case is removed: nor that of the initial state's element at its index",
            #"{"open":false,"products":[{"name":"pot","price":{"each":{"_0":9}}},\#(tea)]}"#,
            over: Shop(products: [Product(name: "tea", price: .weighed(3))]),
            gives: #"{"open":false,"products":[\#(tea)]}"#,
            lost: ["/products/0 removed: \(enumKeys) (at /products/0/price)"]),
        Edit(
            "a case is removed: an element takes the value of the initial state's element with its id",
            #"{"open":false,"named":{},"products":[{"id":1,"price":{"weighed":{"_0":3}}},{"id":2,"price":{"each":{"_0":9}}}]}"#,
            over: Catalogue(products: [Known(id: 2, price: .free), Known(id: 1, price: .weighed(8))]),
            gives:
                #"{"open":false,"products":[{"id":1,"price":{"weighed":{"_0":3}}},{"id":2,"price":{"free":{}}}],"named":{}}"#,
            lost: ["/products/1/price initial: \(enumKeys)"]),
        Edit(
            "a case is removed: an entry takes the value of the initial state's entry with its key",
            #"{"open":true,"products":[],"named":{"pot":{"name":"p","price":{"each":{"_0":9}}},"x":{"name":"x","price":{"each":{"_0":9}}}}}"#,
            over: Catalogue(named: ["pot": Product(name: "pot", price: .free)]),
            gives: #"{"open":true,"products":[],"named":{"pot":{"name":"p","price":{"free":{}}}}}"#,
            lost: [
                "/named/pot/price initial: \(enumKeys)", "/named/x removed: \(enumKeys) (at /named/x/price)",
            ]),
        Edit(
            "a case is removed: a number is no stand-in for it", #"{"all":[{"name":"a","rating":5}],"count":1}"#,
            over: Ratings(), gives: #"{"all":[],"count":1}"#,
            lost: [
                "/all/0 removed: Cannot initialize Rating from invalid Int value 5 (at /all/0/rating)"
            ]),
        Edit(
            "a case is removed: an optional part of an element is nil, and a set loses it",
            #"{"all":[{"name":"a","badge":{"unit":"each"}}],"units":["gram","each"],"count":1}"#, over: Badges(),
            gives: #"{"all":[{"name":"a"}],"units":["gram"],"count":1}"#,
            lost: [
                "/all/0/badge nil: Cannot initialize Unit from invalid String value each (at /all/0/badge/unit)",
                "/units/1 removed: Cannot initialize Unit from invalid String value each",
            ]),
        Edit(
            "a case is added", #"{"unit":"gram","all":[{"name":"a","unit":"gram"}],"byName":{}}"#, over: Measures(),
            gives: #"{"unit":"gram","all":[{"name":"a","unit":"gram"}],"byName":{}}"#),
        Edit(
            "a case is renamed",
            #"{"unit":"gramme","all":[{"name":"a","unit":"gramme"}],"byName":{"b":{"name":"b","unit":"litre"}}}"#,
            over: Measures(), gives: #"{"unit":"litre","all":[],"byName":{"b":{"name":"b","unit":"litre"}}}"#,
            lost: [
                "/unit initial: Cannot initialize Unit from invalid String value gramme",
                "/all/0 removed: Cannot initialize Unit from invalid String value gramme (at /all/0/unit)",
            ]),
        Edit(
            "members of elements are added: an empty value, the first case, nil",
            #"{"unit":"gram","all":[{"name":"a"},{}],"byName":{}}"#, over: Measures(),
            gives: #"{"unit":"gram","all":[{"name":"a","unit":"gram"},{"name":"","unit":"gram"}],"byName":{}}"#,
            filled: ["/all/0/unit", "/all/1/name", "/all/1/unit"]),
        Edit(
            "a secret is not on the tape: the initial state's value, and nil",
            #"{"user":"ana","token":\#(secret),"pin":\#(secret),"sessionToken":\#(secret)}"#, over: Session(),
            gives: #"{"user":"ana","token":"","sessionToken":"00000000-0000-0000-0000-000000000000"}"#,
            lost: [
                "secret /token initial: a secret was left out of the tape here",
                "secret /sessionToken initial: a secret was left out of the tape here",
                "secret /pin nil: a secret was left out of the tape here",
            ]),
        Edit(
            "a secret of an element is not on the tape, and the app has none",
            #"{"accounts":[{"id":1,"name":"a","password":\#(secret)},{"id":2,"name":"b","password":\#(secret)}],"count":2}"#,
            over: Accounts(accounts: [Account(id: 2, name: "B", password: "own")]),
            gives: #"{"accounts":[{"id":1,"name":"a","password":""},{"id":2,"name":"b","password":"own"}],"count":2}"#,
            lost: [
                "secret /accounts/1/password initial: a secret was left out of the tape here",
                "secret /accounts/0/password empty: a secret was left out of the tape here",
            ]),
        Edit(
            "a secret of an element has no empty value", #"{"all":[{"name":"a","token":\#(secret)}],"count":1}"#,
            over: Devices(), gives: #"{"all":[],"count":1}"#,
            lost: ["/all/0 removed: a secret was left out of the tape here (at /all/0/token)"]),
    ]

    @Test("An edit keeps what it can, and the answer lists the rest", arguments: edits)
    func survives(_ edit: Edit) throws {
        let (state, adjustments) = try edit.restore()
        #expect(try state == JSON(parsing: edit.state))
        #expect(adjustments.filled == edit.filled)
        #expect(adjustments.ignored == edit.ignored)
        #expect(
            adjustments.lost.map { "\($0.isSecret ? "secret " : "")\($0.path) \($0.instead): \($0.reason)" }
                == edit.lost)
    }
}
