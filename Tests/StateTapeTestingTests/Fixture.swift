import Foundation
import StateTape
import TapeFormat
import Testing

@testable import StateTapeTesting

struct Cart: Codable, Equatable {
    struct Item: Codable, Equatable {
        var name: String
        var price: Double
    }

    var items: [Item] = []
    var total = 0.0
    var tags: [String] = []
    var changed: String?
    var token = "none"
}

enum CartAction: Codable, Equatable {
    case add(name: String, price: Double)
    case clear
    case signIn(token: String)
    case tag([String])
    case drop
}

func reduce(_ cart: inout Cart, _ action: CartAction) {
    switch action {
    case .add(let name, let price):
        cart.items.append(Cart.Item(name: name, price: price))
        cart.total += price
    case .clear: cart = Cart()
    case .signIn(let token): cart.token = token
    case .tag(let tags): cart.tags += tags
    case .drop: if !cart.tags.isEmpty { cart.tags.removeFirst() }
    }
}

/// A folder with tapes, deleted with its test.
final class Scene {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Records actions through the right reducer.
    func record(
        _ actions: [CartAction], as name: String = "cart.tape", initial: Cart = Cart(), store: String = "main",
        _ more: (Recorder) -> Void = { _ in }
    ) -> String {
        let tape = Recorder(.init(file: path(name)))
        let track = tape.track(initial, CartAction.self, name: store)
        var state = track.start
        for action in actions { track.record(action, &state) { reduce(&$0, action) } }
        more(tape)
        tape.finish()
        withExtendedLifetime(track) {}
        return path(name)
    }
}

/// The failure that a replay reports.
func failure(_ body: () throws -> Void) rethrows -> String {
    let found = Locked("")
    try withKnownIssue(isIntermittent: true) {
        try body()
    } matching: { issue in
        found.withLock { $0 += issue.comments.map(\.rawValue).joined() + (issue.error.map { "\($0)" } ?? "") }
        return true
    }
    return found.withLock { $0 }
}

func failure(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async -> String {
    let found = Locked("")
    await withKnownIssue(isIntermittent: true) {
        await body()
    } matching: { issue in
        found.withLock { $0 += issue.comments.map(\.rawValue).joined() }
        return true
    }
    return found.withLock { $0 }
}
