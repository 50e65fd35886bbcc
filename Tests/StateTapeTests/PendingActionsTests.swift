import DispatchContext
import Foundation
import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("Pending actions")
struct PendingActionsTests {
    private let scene = SpoolScene()
    private let pending = PendingActions()
    private var file: URL { scene.place.appendingPathComponent("pending") }

    private func open() throws {
        try FileManager.default.createDirectory(at: scene.place, withIntermediateDirectories: true)
        try pending.open(file)
    }

    private func put(_ type: String, store: String = "main", at: Duration = .zero) -> PendingActions.Place? {
        var bytes: [UInt8] = []
        let action = JSON.object(JSON.Object([("type", .string(type))])).bytes
        PendingActions.begin(store: store, at: at, caller: CallSite(fileID: "App/Store.swift", line: 41)) {
            bytes += $0
        }
        return (bytes + action).withUnsafeBytes { pending.put($0) }
    }

    private var left: [PendingActions.Left] {
        get throws { try Data(contentsOf: file).withUnsafeBytes { PendingActions.left(in: $0) } }
    }

    @Test("An action is in the file at once, in the order of tickets, until it is freed")
    func put() throws {
        try open()
        let first = try #require(put("a", store: "cart", at: .microseconds(1_500)))
        let second = try #require(put("b"))
        pending.reduced(first)
        try #require(try left.map(\.action) == [["type": "a"], ["type": "b"]])
        #expect(try left.map(\.isReduced) == [true, false])
        #expect(try left[0].store == "cart" && left[0].at == .microseconds(1_500))
        #expect(try left[0].caller == "App/Store.swift:41")
        pending.free(first)
        #expect(try left.map(\.action) == [["type": "b"]])
        // The place is used again with a later ticket.
        let third = try #require(put("c"))
        #expect(try left.map(\.ticket) == [second.ticket, third.ticket])
    }

    @Test("A full table accepts no action until one is freed")
    func full() throws {
        try open()
        let places = (0..<PendingActions.shortCount + PendingActions.longCount).map { _ in put("a") }
        #expect(!places.contains { $0 == nil })
        #expect(put("b") == nil)
        pending.free(try #require(places[0]))
        #expect(put("c") != nil)
    }

    @Test("A long action gets a long place, and a longer one gets none")
    func long() throws {
        try open()
        let long = String(repeating: "x", count: 60_000)
        #expect(put(long) != nil)
        #expect(try left.first?.action == ["type": .string(long)])
        #expect(put(String(repeating: "x", count: 66_000)) == nil)
    }

    @Test("Nothing is kept before the file is open or after it is closed")
    func closed() throws {
        #expect(put("a") == nil)
        try open()
        pending.close()
        #expect(put("a") == nil)
    }
}
