#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer

    struct Demo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run the server and, as a second process, the example app in use.",
            discussion: """
                The app draws in this terminal; its actions arrive in the page whose URL is printed. Press “Play this \
                state” there, and the app jumps to it here. Ctrl-C ends both.
                """
        )

        @OptionGroup var options: ServeOptions

        func run() async throws {
            let interruption = Interruption()
            let server = try options.start()
            Output.line("statetape listening on \(server.pageURL.absoluteString)")
            let app = Process()
            // The package builds it together with this executable.
            app.executableURL = Executable.url.deletingLastPathComponent().appendingPathComponent("todo-example")
            app.arguments = ["--demo"]
            var environment = ProcessInfo.processInfo.environment
            environment["STATETAPE_URL"] = server.pageURL.absoluteString
            app.environment = environment
            let ended = AsyncStream<Void> { stream in
                app.terminationHandler = { _ in stream.finish() }
            }
            do {
                try app.run()
            } catch {
                server.stop()
                throw Failure("The example app could not be started: \(error.localizedDescription)")
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
