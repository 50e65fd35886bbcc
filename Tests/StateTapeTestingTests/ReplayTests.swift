import Foundation
import StateTape
import Testing

import enum TapeFormat.JSON

@testable import StateTapeTesting

@Suite("Replaying a tape")
struct ReplayTests {
    private let scene: Scene
    private let shopping: [CartAction] = [
        .add(name: "soap", price: 2), .tag(["b", "a"]), .add(name: "tea", price: 4.5), .clear,
        .add(name: "milk", price: 1),
    ]

    init() throws { scene = try Scene() }

    @Test("The recorded actions lead to the recorded states")
    func equal() {
        let tape = scene.record(shopping)
        #expect(failure { Replay(tape).verify(Cart.self, CartAction.self, reducer: reduce) } == "")
    }

    @Test("A fault in the reducer is found at its event, with the places that differ")
    func fault() throws {
        let tape = scene.record(shopping)
        let text = failure {
            Replay(tape).verify(Cart.self, CartAction.self) { cart, action in
                reduce(&cart, action)
                if cart.items.count == 2 { cart.total -= 1 }
            }
        }
        #expect(text.contains(#"after event 3, “add” {"name":"tea","price":4.5}:"#))
        #expect(text.contains("\n  /total: recorded 6.5, now 5.5\n"))
        let run = try #require(text.split(separator: "\n").first { $0.hasPrefix("The tape of this run: ") })
        let made = String(run.dropFirst("The tape of this run: ".count))
        defer { try? FileManager.default.removeItem(atPath: made) }
        // The tape of the run leads to its own states.
        let again = failure {
            Replay(made).verify(Cart.self, CartAction.self) { cart, action in
                reduce(&cart, action)
                if cart.items.count == 2 { cart.total -= 1 }
            }
        }
        #expect(again == "")
        #expect(failure { Replay(made).verify(Cart.self, CartAction.self, reducer: reduce) }.contains("after event 3"))
    }

    @Test("Ignored places, sets in another order and close numbers don't count")
    func comparison() {
        let tape = scene.record(shopping)
        func run(_ replay: Replay) -> String {
            failure {
                replay.verify(Cart.self, CartAction.self) { cart, action in
                    reduce(&cart, action)
                    cart.changed = "now"
                    cart.tags.reverse()
                    cart.total += 0.001
                }
            }
        }
        #expect(run(Replay(tape)).contains("/changed: new, \"now\""))
        #expect(run(Replay(tape).ignoring("/**/changed").tolerance(0.01)).contains("/tags/0"))
        #expect(run(Replay(tape).ignoring("/changed").unordered("/tags")).contains("/total"))
        #expect(run(Replay(tape).ignoring("/*").tolerance(0)) == "")
        #expect(run(Replay(tape).ignoring("/changed").unordered("/tags").tolerance(0.01)) == "")
    }

    @Test("After another order, a change by index is compared with its element")
    func orderThenIndex() {
        let tape = scene.record([.tag(["a", "b"]), .clear])
        let text = failure {
            Replay(tape).unordered("/tags").verify(Cart.self, CartAction.self) { cart, action in
                reduce(&cart, action)
                cart.tags.reverse()
            }
        }
        #expect(text == "")
        let removing = scene.record([.tag(["a", "b"]), .drop], as: "drop.tape")
        let found = failure {
            Replay(removing).unordered("/tags").verify(Cart.self, CartAction.self) { cart, action in
                reduce(&cart, action)
                if case .tag = action { cart.tags.reverse() }
            }
        }
        #expect(found.contains("after event 2, “drop”") && found.contains("/tags"))
    }

    @Test("Numbers of 64 bits that are one floating-point number differ")
    func wide() throws {
        let (one, other) = try (JSON(parsing: "9007199254740993"), JSON(parsing: "9007199254740992"))
        #expect(StateComparison().differences(one, other).count == 1)
        #expect(try StateComparison().differences(JSON(parsing: "1.0"), JSON(parsing: "1")).isEmpty)
    }

    @Test("A pattern that is no pointer is an error")
    func badPattern() {
        let tape = scene.record(shopping)
        let text = failure { Replay(tape).ignoring("total").verify(Cart.self, CartAction.self, reducer: reduce) }
        #expect(text.contains("“total” is not a path"))
    }

    @Test("A range starts from the recorded state before it")
    func range() {
        let tape = scene.record(shopping)
        var seen: [CartAction] = []
        let text = failure {
            Replay(tape).events(2...3).verify(Cart.self, CartAction.self) { cart, action in
                seen.append(action)
                reduce(&cart, action)
            }
        }
        #expect(text == "" && seen == Array(shopping[1...2]))
        #expect(
            failure { Replay(tape).events(90...).verify(Cart.self, CartAction.self, reducer: reduce) }
                .contains("has no event 90"))
    }

    @Test("A part of a tape starts from the state in its header")
    func part() throws {
        let lines = try String(contentsOfFile: scene.record(shopping), encoding: .utf8).split(separator: "\n")
        let header = lines[0].dropLast() + #","from":2,"states":{"main":"#
        let state = #"{"items":[{"name":"soap","price":2}],"total":2,"tags":[],"token":{"$redacted":true}}}}"#
        let part = ([header + state] + lines[3...].map(String.init)).joined(separator: "\n") + "\n"
        try Data(part.utf8).write(to: URL(fileURLWithPath: scene.path("part.tape")))
        var seen = 0
        let text = failure {
            Replay(scene.path("part.tape")).events(2...4).verify(Cart.self, CartAction.self) { cart, action in
                seen += 1
                reduce(&cart, action)
            }
        }
        #expect(text == "" && seen == 3)
    }

    @Test("Values that the app could not encode equal anything, and an action with one can't be replayed")
    func unencodable() throws {
        let marker = #"{"$unencodable":"String: Refusal()"}"#
        let lines = try String(contentsOfFile: scene.record(shopping), encoding: .utf8).split(separator: "\n")
        let states = #","from":2,"states":{"main":{"items":[{"name":"soap","price":2}],"total":2,"tags":[],"#
        let header = String(lines[0].dropLast()) + states + #""token":\#(marker)}}}"#
        var part = [header] + lines[3...].map(String.init)
        func verify() throws -> String {
            let file = scene.path("part.tape")
            try Data((part.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
            return failure { Replay(file).events(2...4).verify(Cart.self, CartAction.self, reducer: reduce) }
        }
        #expect(try verify() == "")
        let action = try JSON(parsing: Array(part[1].utf8))["action"]?.text ?? ""
        part[1] = part[1].replacingOccurrences(of: action, with: #"{"type":"add","payload":\#(marker)}"#)
        let text = try verify()
        #expect(text.contains("action “add”") && text.contains("could not encode"), "\(text)")
    }

    @Test("Of several stores, one is chosen by name")
    func stores() {
        let tape = scene.record([.clear]) { tape in
            let track = tape.track(Cart(), CartAction.self, name: "other")
            var state = track.start
            track.record(.add(name: "x", price: 1), &state) { reduce(&$0, .add(name: "x", price: 1)) }
        }
        #expect(
            failure { Replay(tape).verify(Cart.self, CartAction.self, reducer: reduce) }
                .contains("choose one of “main”, “other”"))
        #expect(
            failure { Replay(tape).store("other").verify(Cart.self, CartAction.self, reducer: reduce) } == "")
        #expect(
            failure { Replay(tape).store("cart").verify(Cart.self, CartAction.self, reducer: reduce) }
                .contains("no store “cart”"))
    }

    @Test("Many secrets of several types are stood in for at once")
    func manySecrets() {
        struct User: Codable { var password: String; var pin: Int }
        struct Users: Codable { var users: [User]; var count = 0 }
        enum Count: Codable { case up }
        let tape = Recorder(.init(file: scene.path("users.tape")))
        let users = (0..<2_000).map { User(password: "p\($0)", pin: $0) }
        let track = tape.track(Users(users: users), Count.self)
        var state = track.start
        track.record(.up, &state) { $0.count += 1 }
        tape.finish()
        let text = failure {
            Replay(scene.path("users.tape")).verify(Users.self, Count.self) { state, _ in state.count += 1 }
        }
        #expect(text == "")
        withExtendedLifetime(track) {}
    }

    @Test("A store of the app's own is replayed too, on its actor")
    @MainActor
    func ownStore() async {
        let tape = scene.record(shopping)
        let store = Own()
        await Replay(tape).verify(
            Cart.self, CartAction.self, start: { store.cart = $0 },
            apply: { action in
                await Task.yield()
                store.send(action)
                return store.cart
            })
        #expect(store.cart.items.map(\.name) == ["milk"])
    }

    @Test("A state that was set without an action counts as recorded")
    func setState() {
        let tape = Recorder(.init(file: scene.path("set.tape")))
        let track = tape.track(Cart(), CartAction.self)
        var state = track.start
        track.set(&state) { $0.total = 50 }
        track.record(.add(name: "tea", price: 1), &state) { reduce(&$0, .add(name: "tea", price: 1)) }
        tape.finish()
        #expect(
            failure { Replay(scene.path("set.tape")).verify(Cart.self, CartAction.self, reducer: reduce) } == "")
        #expect(state.total == 51)
        withExtendedLifetime(track) {}
    }

    private struct Broken: Error, Equatable { var why: String }

    /// Records actions through a reducer that throws at `.clear`.
    private func recordThrowing() -> String {
        let file = scene.path("throwing.tape")
        let tape = Recorder(.init(file: file))
        let track = tape.track(Cart(), CartAction.self)
        var state = track.start
        for action in shopping {
            try? track.record(action, &state) { cart throws(Broken) in
                reduce(&cart, action)
                if action == .clear { throw Broken(why: "empty") }
            }
        }
        tape.finish()
        withExtendedLifetime(track) {}
        return file
    }

    @Test("A reducer that threw must throw the same error again; another one or none is a difference")
    func throwing() {
        let recorded = recordThrowing()
        func run(_ why: String?, at failing: CartAction = .clear) -> String {
            failure {
                Replay(recorded).verify(Cart.self, CartAction.self) { cart, action in
                    reduce(&cart, action)
                    if let why, action == failing { throw Broken(why: why) }
                }
            }
        }
        #expect(run("empty") == "")
        let other = run("gone")
        #expect(other.contains("first difference after event 4, “clear”:\n"))
        #expect(
            other.contains(
                "\n  the reducer threw: recorded “Broken(why: \"empty\")”, now “Broken(why: \"gone\")”\n"))
        #expect(run(nil).contains("\n  the reducer threw: recorded “Broken(why: \"empty\")”, now no error\n"))
        let tea = CartAction.add(name: "tea", price: 4.5)
        #expect(run("empty", at: tea).contains("now “Broken(why: \"empty\")”\n"))
        // The tape of the run has the errors of the run.
        let made = other.split(separator: "\n").first { $0.hasPrefix("The tape of this run: ") }
        let path = String(made?.dropFirst("The tape of this run: ".count) ?? "")
        let again = failure {
            Replay(path).verify(Cart.self, CartAction.self) { cart, action in
                reduce(&cart, action)
                if action == .clear { throw Broken(why: "gone") }
            }
        }
        #expect(again == "")
        try? FileManager.default.removeItem(atPath: path)
    }

    @Test("A store's dispatch may throw what the tape has, or keep it to itself; any other error names the event")
    @MainActor
    func throwingStore() async {
        let recorded = recordThrowing()
        func run(_ why: String?) async -> String {
            await failure {
                let own = Own()
                await Replay(recorded).verify(
                    Cart.self, CartAction.self, start: { own.cart = $0 },
                    apply: { action in
                        own.send(action)
                        if let why, action == .clear { throw Broken(why: why) }
                        return own.cart
                    })
            }
        }
        #expect(await run("empty") == "")
        #expect(await run(nil) == "")
        #expect(await run("gone").contains("Event 4, “clear”, failed: Broken(why: \"gone\")"))
    }

    @Test("A store that throws what the tape has but changes its state otherwise differs at the next action")
    @MainActor
    func throwingEarlier() async {
        let recorded = recordThrowing()
        func run(_ file: String) async -> String {
            await failure {
                let own = Own()
                await Replay(file).verify(
                    Cart.self, CartAction.self, start: { own.cart = $0 },
                    apply: { action in
                        if action == .clear { throw Broken(why: "empty") }
                        own.send(action)
                        return own.cart
                    })
            }
        }
        let text = await run(recorded)
        #expect(text.contains("first difference after event 5, “add”"))
        let made = text.split(separator: "\n").first { $0.hasPrefix("The tape of this run: ") }
        let path = String(made?.dropFirst("The tape of this run: ".count) ?? "")
        #expect(await run(path) == "")
        try? FileManager.default.removeItem(atPath: path)
    }

    @Test("Actions whose JSON is short are replayed, in any order")
    func shortPayloads() {
        for routes in [["", "a", "longer/route", "-1", ""], ["longer/route", "a", "", "5"]] {
            let file = scene.path("routes.tape")
            let tape = Recorder(.init(file: file))
            let track = tape.track([Route](), Route.self)
            var state = track.start
            for route in routes.map(Route.init) { track.record(route, &state) { $0.append(route) } }
            tape.finish()
            withExtendedLifetime(track) {}
            let text = failure {
                Replay(file).verify([Route].self, Route.self) { $0.append($1) }
                Replay(file).verify([Route].self, Any.self, decoding: [Route.self]) { routes, action in
                    if let route = action as? Route { routes.append(route) }
                }
            }
            #expect(text == "")
        }
    }
}

/// Its JSON is a string alone.
private struct Route: Codable, Equatable {
    var path: String

    init(_ path: String) { self.path = path }
    init(from decoder: any Decoder) throws { path = try decoder.singleValueContainer().decode(String.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(path)
    }
}

@MainActor
private final class Own {
    var cart = Cart()
    func send(_ action: CartAction) { reduce(&cart, action) }
}
