import Foundation
import StateTape

/// Records a store of its own and those of every recipe. With `STATETAPE_URL` it goes on when a line comes in, by which time
/// a state was pushed into each; without, it reads the tape file that it wrote.
@main
struct MainActorApp {
    static func main() async throws {
        ThreadProbe.prepare()
        guard ThreadProbe.isOnMain else { fail("the main queue is not where main runs") }
        let environment = ProcessInfo.processInfo.environment
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        if environment["STATETAPE_URL"] == nil { setenv("STATETAPE_FILE", file.path, 1) }

        let tape = Recorder(
            .init(allowRelease: true, log: .custom { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }))
        let cart = CartStore(tape)
        cart.send(.add(name: "tea"))
        cart.send(.item(.more(0)))
        let notes = NotesStore(tape)
        notes.send(.write("milk"))
        cart.send(.probe(MainProbe()))
        let recipes = Recipe.all.map { $0.make(tape) }
        for recipe in recipes { recipe.act() }
        print("recorded")
        if environment["STATETAPE_URL"] != nil {
            _ = await Task.detached { readLine() }.value
            guard cart.isPlayedInto else { fail("nothing was played into the cart") }
        }
        guard tape.finish(timeout: .seconds(10)) else { fail("the tape was not delivered") }

        let counts = ThreadProbe.counts
        guard counts.main == 0, counts.others > 0 else { fail("encoded on the main thread: \(counts)") }
        withExtendedLifetime(notes) {}
        if environment["STATETAPE_URL"] == nil {
            let text = try String(contentsOf: file, encoding: .utf8)
            for part in ["add", "item/more", "ReSwiftRecipe.Add"] where !text.contains("\"type\":\"\(part)\"") {
                fail("no action \(part) on the tape:\n\(text)")
            }
            if !text.contains("tea") { fail("no tea on the tape:\n\(text)") }
        }
        withExtendedLifetime(recipes) {}
        print("ok")
    }

    static func fail(_ message: String) -> Never {
        print(message)
        exit(1)
    }
}
