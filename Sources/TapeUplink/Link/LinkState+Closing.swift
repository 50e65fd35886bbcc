import TapeFormat

// Ends a connection, and decides whether another one follows.
extension LinkState {
    /// The server has another archive than the one that the session is recorded for.
    mutating func foundOtherArchive() -> [Action] {
        let code = CloseCode.otherArchive.rawValue
        guard !isRecovered else { return stop(code, "the session was recorded for another archive") }
        phase = .waiting
        return [.otherArchive, .wait(.retry, backoff.next(spread: spread()))]
    }

    mutating func closed(
        code: UInt16?, reason: String, _ now: Duration, _ answer: HTTPAnswer? = nil
    ) -> [Action] {
        guard phase != .waiting, phase != .idle else { return [] }
        if phase == .live, now - liveSince > .seconds(5) { backoff.reset() }
        undrained = 0
        answers.forgetUnsent()
        var actions: [Action] = [.dropPushes] + hold.linkIsLost() + [.settled(nil)]
        if code == CloseCode.otherArchive.rawValue { return actions + foundOtherArchive() }
        guard mayRetry(after: code) else { return actions + stop(code, Self.meaning(of: code, reason)) }
        phase = .waiting
        let delay = backoff.next(spread: spread())
        if !isOutageTold {
            isOutageTold = true
            actions.append(.report(.disconnected(reason: answer?.meaning ?? Self.meaning(of: code, reason))))
        }
        return actions + [.wait(.retry, delay)]
    }

    mutating func stop(_ code: UInt16?, _ reason: String) -> [Action] {
        phase = .stopped
        stoppedBy = code
        outbox.clear()
        return [.report(.ended(reason: reason)), .stopped]
    }

    mutating func mayRetry(after code: UInt16?) -> Bool {
        switch code {
        case nil, 1001, 1005, 1006, 1012, 1013: return true
        case CloseCode.serverFailed.rawValue:
            failures += 1
            return !isRecovered || failures < Self.maxFailures
        case CloseCode.badCompression.rawValue:
            // The app's compression is faulty, so it sends lines uncompressed.
            defer { compresses = false }
            return compresses
        case CloseCode.badLine.rawValue: return phase == .live && refused.badLine(outbox)
        case CloseCode.tooBig.rawValue: return phase == .live && refused.tooBig(&outbox, sent: cursor)
        default: return false
        }
    }

    static func meaning(of code: UInt16?, _ reason: String) -> String {
        let meaning =
            switch code.flatMap(CloseCode.init(rawValue:)) {
            case .notAuthorised:
                "the token is missing or wrong; use the URL that the server printed, or set STATETAPE_TOKEN"
            case .version: "it speaks another version of the protocol"
            case .replaced: "a newer connection of this session took over"
            case .otherKey: "the session belongs to another app"
            case .deleted: "the session was deleted"
            case .badLine: "it could not read a line"
            case .tooBig: "a message was too long for it"
            default: code.map { "code \($0)" } ?? "it can't be reached"
            }
        return reason.isEmpty ? meaning : "\(meaning) (\(reason))"
    }
}
