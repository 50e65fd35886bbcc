package import Logging
import TapeFormat

/// The server's log on standard error. Apps and clients choose parts of the messages, so each is one line without
/// control characters.
package struct ServerLog: LogHandler {
    private var stream: StreamLogHandler

    package static func logger(_ level: Logger.Level = .info) -> Logger {
        Logger(label: "statetape") { label in
            var log = ServerLog(stream: .standardError(label: label))
            log.logLevel = level
            return log
        }
    }

    package var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    package func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.onOneLine)"
        stream.log(event: event)
    }
}
