#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer

    struct Serve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run the server until SIGINT or SIGTERM.",
            discussion: """
                Prints one line on standard output once it accepts connections; logs go to standard error.
                On any address but loopback a token is needed: one that is made at the first start is printed in the \
                page's URL, and kept in the data folder.
                A server whose event loop hasn't turned for 30 s ends itself with exit code 70, so that whatever \
                supervises it can start it again.
                """
        )

        @OptionGroup var options: ServeOptions

        func run() async throws {
            let interruption = Interruption()
            let server = try options.start()
            Output.line("statetape listening on \(server.pageURL.absoluteString)")
            await interruption.wait()
            server.stop()
        }
    }
#endif
