import TapeEngine
import TapeFormat

/// The server's side of one app link: lines in, actions out. Checks only syntax and order.
struct AppLinkState {
    enum Action {
        /// Claims the session; `opened` or `refused` answers. The link reads nothing until then.
        case open(Hello)
        case append([EventLine])
        /// Every event below `next` is committed.
        case ack(next: Int)
        case pushed(Pushed)
        /// The locked app has so many queued actions.
        case queued(Int)
        /// Sends the error, then closes the connection.
        case close(CloseCode, LinkError)
    }

    private enum Phase {
        case expectingHello
        /// Lines that arrived directly after the hello.
        case opening([[UInt8]])
        case open
        /// Closes once all earlier lines are committed.
        case closing(CloseCode, LinkError)
        case closed
    }

    private var phase = Phase.expectingHello
    private let refusal: @Sendable (_ token: String?) -> LinkError?
    private let maxMessage: Int
    /// The archive's id.
    private let archive: String?
    /// The next expected seq, and the lowest seq that isn't committed.
    private var expected = 0
    private var committed = 0
    private var hasEnded = false
    /// Decompresses the messages; nil until the first compressed one arrives.
    private var inflater: Inflater?
    private var isCompressionGranted = false

    /// - Parameters:
    ///   - maxMessage: The most bytes that a message may have, decompressed.
    ///   - archive: The archive's id; a session that was recorded for another one is refused.
    ///   - refusal: Returns why an app with this token may not record; nil if it may.
    init(
        maxMessage: Int = Limits.line, archive: String? = nil,
        refusal: @escaping @Sendable (_ token: String?) -> LinkError?
    ) {
        self.maxMessage = maxMessage
        self.archive = archive
        self.refusal = refusal
    }

    /// Why a message is refused.
    struct Refusal: Error {
        let actions: [Action]
    }

    /// Returns a message's lines as one decompressed array. Pass them to `take` in order, in slices of any size.
    mutating func unpack(_ message: [UInt8]) throws(Refusal) -> [UInt8] {
        guard message.first == Compression.mark, case .open = phase, isCompressionGranted else {
            return message
        }
        // Created on first use: most apps are idle, and an inflater takes 11 KB.
        let inflater = inflater ?? Inflater()
        self.inflater = inflater
        do throws(Inflater.Failure) {
            return try inflater.message(message, limit: maxMessage)
        } catch {
            switch error {
            case .tooBig:
                throw Refusal(
                    actions: closeAfterCommit(
                        .tooBig, "too-big", "a message is longer than \(maxMessage) bytes after decompression"))
            case .broken(let reason):
                throw Refusal(
                    actions: closeAfterCommit(
                        .badCompression, "bad-compression", "a message can't be decompressed: \(reason)"))
            }
        }
    }

    /// The session belongs to this link; every seq below `have` is committed.
    mutating func opened(have: Int, ended: Bool) -> [Action] {
        guard case .opening(let lines) = phase else { return [] }
        phase = .open
        expected = have
        committed = have
        hasEnded = ended
        return take(lines)
    }

    /// Another key opened the session first.
    mutating func refused() -> [Action] {
        close(.otherKey, "other-key", "this session was opened with another key")
    }

    /// Every event below `next` is in the archive.
    mutating func committed(next: Int) -> [Action] {
        committed = next
        switch phase {
        case .open: return [.ack(next: next)]
        case .closing(let code, let error) where committed == expected:
            phase = .closed
            return [.ack(next: next), .close(code, error)]
        default: return []
        }
    }

    /// A newer connection has taken over the session.
    mutating func replaced() -> [Action] {
        close(.replaced, "replaced", "a newer connection took over this session")
    }

    mutating func deleted() -> [Action] {
        close(.deleted, "deleted", "this session was deleted")
    }

    /// The server closes this connection, which has not sent a hello, to make room for newer ones.
    mutating func evicted() -> [Action] {
        close(.goingAway, "no-hello", "too many connections are waiting to send a hello")
    }

    /// The server has as many apps as it allows.
    mutating func foundFull() -> [Action] {
        close(.goingAway, "full", "the limit of connected apps is reached (--max-apps)")
    }

    mutating func helloIsOverdue() -> [Action] {
        guard case .expectingHello = phase else { return [] }
        // The app should reconnect: it did nothing wrong, the network may be slow.
        return close(.goingAway, "no-hello", "the hello did not arrive in time")
    }

    /// The connection has ended.
    mutating func ended() {
        phase = .closed
        inflater = nil
    }

    private mutating func close(_ code: CloseCode, _ name: String, _ message: String) -> [Action] {
        if case .closed = phase { return [] }
        phase = .closed
        return [.close(code, LinkError(code: name, message: message))]
    }

    /// Like `close`, but first waits for the lines ahead of the bad one. So the bad line is at the next `have`.
    private mutating func closeAfterCommit(_ code: CloseCode, _ name: String, _ message: String) -> [Action] {
        guard committed < expected else { return close(code, name, message) }
        phase = .closing(code, LinkError(code: name, message: message))
        return []
    }

    /// A parsed line.
    typealias Parsed = Result<AppLine, FormatError>

    /// Parses a line of an open link, on any thread.
    static func parse(_ line: [UInt8]) -> Parsed {
        Result { () throws(FormatError) in try AppLine(parsing: line) }
    }

    /// Takes lines that were parsed elsewhere, because they are long.
    mutating func take(parsed lines: [Parsed]) -> [Action] {
        var actions: [Action] = []
        var events: [EventLine] = []
        for line in lines {
            if case .open = phase { actions += take(line, &events) }
        }
        return (events.isEmpty ? [] : [.append(events)]) + actions
    }

    mutating func take(_ lines: [[UInt8]]) -> [Action] {
        var actions: [Action] = []
        var events: [EventLine] = []
        events.reserveCapacity(lines.count)
        for (index, line) in lines.enumerated() {
            switch phase {
            case .expectingHello: actions += hello(line)
            case .open: actions += take(Self.parse(line), &events)
            case .opening(let waiting):
                phase = .opening(waiting + lines[index...])
                return actions
            case .closing, .closed: break
            }
        }
        // The lines are appended first, since the actions after them may refer to them.
        return (events.isEmpty ? [] : [.append(events)]) + actions
    }

    private mutating func hello(_ line: [UInt8]) -> [Action] {
        guard line.count <= Limits.header else {
            return close(.headerTooLarge, "header-too-large", "the hello is longer than \(Limits.header) bytes")
        }
        do throws(FormatError) {
            guard case .hello(let hello) = try AppLine(parsing: line) else {
                return close(.badLine, "bad-line", "the first line must be a hello")
            }
            if let refusal = refusal(hello.token) { return close(.notAuthorised, refusal.code, refusal.message) }
            if let wanted = hello.archive, wanted != archive {
                return close(.otherArchive, "other-archive", "this session was recorded for another archive")
            }
            phase = .opening([])
            isCompressionGranted = hello.compress.contains(Compression.deflate)
            return [.open(hello)]
        } catch {
            if let version = (try? JSON(parsing: line))?["hello"]?["tape"]?.int, version != 1 {
                return close(.version, "version", "tape version \(version) is not supported, only 1")
            }
            return close(.badLine, "bad-line", "hello: \(error)")
        }
    }

    private mutating func take(_ line: Parsed, _ events: inout [EventLine]) -> [Action] {
        do throws(FormatError) {
            switch try line.get() {
            case .event(let event): return take(event, &events)
            case .pushed(let pushed): return [.pushed(pushed)]
            case .queued(let count): return [.queued(count)]
            case .hello: return closeAfterCommit(.badLine, "bad-line", "a hello was sent twice")
            case .error, .unknown: return []
            }
        } catch {
            return closeAfterCommit(.badLine, "bad-line", "expected seq \(expected): \(error)")
        }
    }

    private mutating func take(_ event: EventLine, _ events: inout [EventLine]) -> [Action] {
        guard event.seq >= expected else { return [] }
        guard event.first <= expected else {
            return closeAfterCommit(.outOfOrder, "out-of-order", "received seq \(event.first), not \(expected)")
        }
        guard !hasEnded else {
            return closeAfterCommit(.outOfOrder, "out-of-order", "seq \(event.seq) follows the event “end”")
        }
        events.append(event.kind == .gap ? event.clipped(to: expected..<event.seq + 1) : event)
        expected = event.seq + 1
        hasEnded = event.kind == .end
        return []
    }
}
