package import Foundation
package import TapeUplink

extension Recorder {
    /// All options of a recorder. Each has a default, and what the app doesn't choose comes from the environment.
    ///
    /// ```swift
    /// let tape = Recorder(.init(url: "http://192.168.1.7:8080", redaction: .standard.adding("iban")))
    /// ```
    public struct Configuration: Sendable {
        /// Where the recorder's messages for the developer go, one sentence each.
        public enum Log: Sendable {
            /// The unified log on Apple's systems, else standard error. A recorder that is off because no address is set
            /// is then silent.
            case system
            /// A closure of the app, called on any thread.
            case custom(@Sendable (_ message: String) -> Void)
        }

        /// The server's address, as `http://host:port/` or `ws://host:port/`. Nil by default: the recorder takes the
        /// first of `STATETAPE_URL`, the launch argument `-statetape-url` and the link that ``Recorder/open(_:ask:)``
        /// saved.
        public var url: String?

        /// The server's token. Nil by default: the recorder takes the first of a fragment `#token=…` of ``url``,
        /// `STATETAPE_TOKEN`, the launch argument `-statetape-token` and the fragment of another address. A saved link
        /// has its own token.
        public var token: String?

        /// A tape file to write, with or without a server, in unit tests too. `%s` in its path stands for the session's
        /// id. A file that another recorder writes or has written stays: this one writes `NAME-2`. Nil by default:
        /// `STATETAPE_FILE` names the file, if there is one.
        public var file: String?

        /// Whether the recorder records in release builds too. False by default.
        public var allowRelease: Bool

        /// How the recorder finds what changed in a state. ``Comparison/automatic`` by default.
        public var comparison: Comparison

        /// Whether every patch between two values is checked against the state encoded whole, which is slow. Where the
        /// two differ, the recorder writes an error with the place, and the whole state, to the tape. False by default.
        public var verify: Bool

        /// Whether each action has its call stack on the tape: the functions that led to its dispatch. The environment
        /// variable `STATETAPE_CALL_STACKS=1` switches them on without a new build. False by default.
        public var callStacks: Bool

        /// Whether unacknowledged events are kept in the app's caches folder too, where they outlive the process. The
        /// next launch delivers them, with the action during which the process died; what earlier launches left waits
        /// for at most 30 days. If false, events are in memory only. True by default.
        public var crashSafe: Bool

        /// The most bytes to keep for the server, in memory and again on disk: 64 MiB by default, at least 1 MiB.
        ///
        /// At the limit, the oldest events are dropped and replaced by a `gap` event. If one state is larger than half of
        /// it, the recorder always keeps the last full state and the events after it, which may take twice the state and
        /// an eighth of the limit.
        public var spoolLimit: Int {
            get { bounds.bytes }
            set { bounds.bytes = max(newValue, Self.leastSpool) }
        }

        /// Names the secrets. Their values never leave the process. ``Redaction/standard`` by default.
        public var redaction: Redaction

        /// Where the messages for the developer go. ``Log/system`` by default.
        public var log: Log

        // What follows is for this package's own tests, benchmarks and examples.

        private static let leastSpool = 1 << 20
        /// The process to record; nil: this one, or the test that runs in this task.
        package var launch: Launch?
        /// Whether to record in a process that runs unit tests.
        package var allowTests = false
        /// Receives the messages about the connection, which `log` then doesn't get.
        package var report: (@Sendable (RecorderStatus) -> Void)?
        var bounds = Outbox.Bounds()
        var transport: @Sendable () throws -> any Transport = StandardTransport.make
        var systemLog: @Sendable (String) -> Void = StandardLog.write

        /// A configuration whose other options have their defaults. The properties say what each option does.
        public init(
            url: String? = nil, token: String? = nil, file: String? = nil, allowRelease: Bool = false,
            comparison: Comparison = .automatic, verify: Bool = false, callStacks: Bool = false, crashSafe: Bool = true,
            spoolLimit: Int = 64 << 20, redaction: Redaction = .standard, log: Log = .system
        ) {
            (self.url, self.token, self.file, self.allowRelease) = (url, token, file, allowRelease)
            (self.comparison, self.verify, self.crashSafe) = (comparison, verify, crashSafe)
            self.callStacks = callStacks
            (self.redaction, self.log) = (redaction, log)
            self.spoolLimit = spoolLimit
        }

        /// For a recorder of this package's own tests and benchmarks: it also records in a process with unit tests.
        ///
        /// - Parameters:
        ///   - spool: The folder for what the server does not have yet; nil keeps that in memory only.
        ///   - compresses: Whether to compress messages; nil compresses those that leave the machine.
        ///   - startLimit: How many seconds the stores wait for the server's launch state, as `STATETAPE_LAUNCH_WAIT`.
        ///   - ownsArrays: Compares every array with the recorder's own copies of its elements, even if it is short or
        ///     rarely changes.
        ///   - launch: The process, if it isn't this one; `spool`, `compresses` and `ownsArrays` are then its own.
        package static func test(
            url: String? = nil, token: String? = nil, allowRelease: Bool = false, allowTests: Bool = true,
            spool: URL? = nil, compresses: Bool? = nil, file: String? = nil, comparison: Comparison = .automatic,
            startLimit: Double? = nil, ownsArrays: Bool = false, crashSafe: Bool = true,
            redaction: Redaction = .standard, launch: Launch? = nil, bounds: Outbox.Bounds = Outbox.Bounds(),
            log: @escaping @Sendable (String) -> Void = { _ in },
            transport: @escaping @Sendable () throws -> any Transport = StandardTransport.make
        ) -> Configuration {
            var configuration = Configuration(
                url: url, token: token, file: file, allowRelease: allowRelease, comparison: comparison,
                crashSafe: crashSafe, redaction: redaction, log: .custom(log))
            var own = Launch.current
            (own.spool, own.compresses, own.ownsArrays) = (spool, compresses, ownsArrays)
            if let startLimit { own.environment["STATETAPE_LAUNCH_WAIT"] = "\(startLimit)" }
            configuration.launch = launch ?? own
            configuration.allowTests = allowTests
            (configuration.bounds, configuration.transport) = (bounds, transport)
            return configuration
        }

        /// The process to record, with the file that the code names.
        func launch(in test: TestRecordings?) -> Launch {
            var found = launch ?? test?.launch ?? .current
            if let file { found.environment["STATETAPE_FILE"] = file }
            return found
        }

        var write: @Sendable (String) -> Void {
            switch log {
            case .system: systemLog
            case .custom(let write): write
            }
        }

        /// Whether the log says that no address is set.
        var tellsUnasked: Bool { if case .custom = log { true } else { false } }
    }
}
