import TapeFormat

// Connects, greets the server and wakes up.
extension LinkState {
    mutating func connect() -> [Action] {
        guard phase == .idle || phase == .waiting else { return [] }
        phase = .connecting
        attempt += 1
        return [.connect, .wait(.welcome, Self.welcomeLimit)]
    }

    mutating func greet(_ now: Duration) -> [Action] {
        phase = .greeting
        let hello = Hello(
            header: sessionIdentity.header, key: sessionIdentity.key, next: outbox.first,
            fresh: !isRecovered && !isWelcomed && now - launched < .seconds(5), maxMessage: AppLink.maxMessage,
            token: sessionIdentity.token, recovered: isRecovered, attempt: attempt,
            archive: sessionIdentity.server.archive, compress: compresses ? [Compression.deflate] : [])
        return [.send(AppLine.hello(hello).bytes)]
    }

    mutating func rang(_ timer: Timer, _ now: Duration) -> [Action] {
        switch timer {
        case .retry: return phase == .waiting ? connect() : []
        case .lock: return hold.isOverdue()
        case .replay: return hold.mayStandStill(at: now)
        case .welcome:
            guard phase == .connecting || phase == .greeting else { return [] }
            return [.disconnect(code: CloseCode.goingAway.rawValue, reason: "no welcome")]
                + closed(code: nil, reason: "the server did not answer", now)
        case .silence:
            isWatchingSilence = false
            guard phase == .live, !outbox.isEmpty else { return [] }
            guard now - silentSince >= silenceLimit else { return watchSilence(now) }
            let reason = "nothing was acknowledged for \(silenceLimit.components.seconds) s"
            return [.disconnect(code: CloseCode.goingAway.rawValue, reason: reason)]
                + closed(code: nil, reason: "the server went silent", now)
        }
    }
}
