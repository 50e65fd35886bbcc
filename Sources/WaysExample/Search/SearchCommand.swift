import ArgumentParser
import Foundation
import StateTape
import StateTapeStore

/// Runs the search.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "A search whose route is state.")

    @Option(help: ArgumentHelp("Keep the history in this file, and go on from it.", valueName: "file"))
    var history: String?

    @MainActor func run() async throws {
        let recorder = Recorder(.init(allowRelease: true))
        let app = try SearchApp(recorder, file: history.map { URL(fileURLWithPath: $0) }) { print("route:", $0) }
        print(app.store.state)
        app.store.dispatch(.search(text: "ap"))
        await app.reaches { !$0.isSearching }
        app.store.dispatch(.open(item: "grape"))
        print(app.store.state)
        try app.save()
        recorder.finish()
    }
}
