import ArgumentParser
import StateTape

/// Runs the counter in one way of working.
struct CounterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counter", abstract: "A counter that adds, and asks a server for a number.")

    @Option(help: "The way of working: \(CounterStyle.allCases.map(\.rawValue).joined(separator: ", ")).")
    var style = CounterStyle.reducers

    @MainActor func run() async throws {
        let recorder = Recorder(.init(allowRelease: true))
        let app = style.app(recorder)
        print(app.counter)
        app.add(2)
        print(app.counter)
        app.ask()
        await app.reaches { $0.count == 42 && !$0.isAsking }
        print(app.counter)
        if let app = app as? HistoryCounter {
            app.stepBack()
            print(app.counter)
        }
        recorder.finish()
    }
}

extension CounterStyle: ExpressibleByArgument {}
