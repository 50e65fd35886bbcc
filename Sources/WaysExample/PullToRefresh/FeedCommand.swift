import ArgumentParser
import StateTape
import StateTapeStore

/// Runs the feed.
struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull-to-refresh", abstract: "News that one pulls to refresh, with rules for actions.")

    @MainActor func run() async throws {
        let recorder = Recorder(.init(allowRelease: true))
        let app = FeedApp(recorder)
        let view = app.store.subscribe { print($0) }
        await app.run()
        view.cancel()
        recorder.finish()
    }
}
