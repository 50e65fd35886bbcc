#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer

    struct Demo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run the server and an example app that records to it.",
            discussion: """
                The example app, a todo list, runs a script in this terminal. Open the printed URL to see its actions. \
                Press “Apply this state” on the page, and the app jumps to that state. Ctrl-C ends both.
                """
        )

        @OptionGroup var options: ServeOptions

        func run() async throws {
            let interruption = Interruption()
            let server = try options.start(isPrivate: true)
            Output.line("statetape listening on \(server.pageURL.absoluteString)")
            let app = Process()
            // The package builds both executables into one folder.
            app.executableURL = Executable.url.deletingLastPathComponent().appendingPathComponent("todo-example")
            app.arguments = ["--demo"]
            var environment = ProcessInfo.processInfo.environment
            environment["STATETAPE_URL"] = server.appURL
            app.environment = environment
            let ended = AsyncStream<Void> { stream in
                app.terminationHandler = { _ in stream.finish() }
            }
            do {
                try app.run()
            } catch {
                server.stop()
                throw Failure(
                    "Can't start the example app \(app.executableURL?.path ?? ""): \(error.localizedDescription). "
                        + "Build it with `swift build --product todo-example`, or copy it beside this command.")
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await interruption.wait() }
                group.addTask { for await _ in ended {} }
                await group.next()
                group.cancelAll()
            }
            if app.isRunning { app.terminate() }
            app.waitUntilExit()
            server.stop()
        }
    }
#endif
