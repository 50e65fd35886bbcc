import ArgumentParser
import StateTape
import StateTapeStore

/// Runs the filter of annotations.
struct AnnotationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "annotations", abstract: "A filter of annotations, with a provider of view models.")

    @MainActor func run() async throws {
        let recorder = Recorder(.init(allowRelease: true))
        let app = AnnotationsApp(recorder)
        let view = app.provider.subscribe { print($0.title, $0.lines) }
        app.run()
        view.cancel()
        recorder.finish()
    }
}
