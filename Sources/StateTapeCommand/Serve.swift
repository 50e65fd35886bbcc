import ArgumentParser
import Foundation
import StateTapeServer

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server until SIGINT, SIGTERM or SIGHUP ends it.",
        discussion: """
            Prints one line with the page's URL on standard output when it accepts connections. Logs go to standard \
            error.
            On any address other than loopback, clients need a token. If you give no control token, the server makes \
            one at the first start, stores it in the data folder (with --database: in the database) and prints it in \
            the page's URL.
            Any number of servers can use the same --database; each needs a data folder of its own.
            If the event loop is blocked for 30 s, the process exits with code 70, so that a supervisor can restart it.
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
