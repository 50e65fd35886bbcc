import Foundation
import StateTape

/// What was played in, each on the main thread.
enum Played {
    private static var stores: Set<String> = []
    private static var waiting: CheckedContinuation<Void, Never>?

    static func note(_ store: String) {
        MainActor.preconditionIsolated("played off the main actor")
        precondition(ThreadProbe.isOnMain, "played off the main queue")
        stores.insert(store)
        print("played \(store)")
        if stores.count == 3 { waiting?.resume() }
    }

    static func all() async {
        guard stores.count < 3 else { return }
        await withCheckedContinuation { waiting = $0 }
    }
}

/// Records three stores. With `STATETAPE_URL` it waits until a state was pushed into each; without, it reads the tape
/// file that it wrote.
@main
struct MainActorApp {
    static func main() async throws {
        ThreadProbe.prepare()
        guard ThreadProbe.isOnMain else { fail("the main queue is not where main runs") }
        let environment = ProcessInfo.processInfo.environment
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        if environment["STATETAPE_URL"] == nil { setenv("STATETAPE_FILE", file.path, 1) }

        let tape = Recorder(allowRelease: true, log: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) })
        let (cart, list, counter) = (CartStore(tape), makeListStore(tape), makeCounterStore(tape))
        cart.send(.add(name: "tea"))
        cart.send(.item(.more(0)))
        list.dispatch(AddName(name: "Ana"))
        counter.dispatch(.increment)
        print("recorded")
        if environment["STATETAPE_URL"] != nil { await Played.all() }
        guard tape.finish(timeout: .seconds(10)) else { fail("the tape was not delivered") }

        let counts = ThreadProbe.counts
        guard counts.main == 0, counts.others > 0 else { fail("encoded on the main thread: \(counts)") }
        if environment["STATETAPE_URL"] == nil {
            let text = try String(contentsOf: file, encoding: .utf8)
            for part in ["add", "item/more", "AddName", "increment"] where !text.contains("\"type\":\"\(part)\"") {
                fail("no action \(part) on the tape:\n\(text)")
            }
            for part in ["Ana", "tea"] where !text.contains(part) { fail("no \(part) on the tape:\n\(text)") }
        }
        print("ok")
    }

    static func fail(_ message: String) -> Never {
        print(message)
        exit(1)
    }
}
