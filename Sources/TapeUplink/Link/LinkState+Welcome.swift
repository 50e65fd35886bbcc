import TapeFormat

// The server's welcome: from here on the link is live.
extension LinkState {
    mutating func welcomed(_ welcome: Welcome, _ now: Duration) -> [Action] {
        guard welcome.have <= Self.maxSeq else {
            let reason = "it says that it has \(welcome.have) events"
            return [.disconnect(code: CloseCode.normal.rawValue, reason: reason)] + stop(nil, reason)
        }
        if let archive = sessionIdentity.server.archive, archive != welcome.archive {
            let reason = "the session was recorded for another archive"
            return [.disconnect(code: CloseCode.normal.rawValue, reason: reason)] + foundOtherArchive()
        }
        if isRecovered, welcome.have > outbox.next { outbox.skip(to: welcome.have) }
        guard welcome.have <= outbox.next else {
            phase = .waiting
            return [
                .disconnect(code: CloseCode.normal.rawValue, reason: "the session is not this one"), .newSession,
                .wait(.retry, backoff.next(spread: spread())),
            ]
        }
        guard refused.welcomed(have: welcome.have, &outbox) else {
            let reason = "it also refuses the gap in place of a line that it refused"
            return [.disconnect(code: CloseCode.normal.rawValue, reason: reason)] + stop(nil, reason)
        }
        phase = .live
        isWelcomed = true
        isOutageTold = false
        sessionIdentity.server.archive = welcome.archive
        sessionIdentity.server.isPrivate = welcome.isPrivate
        sessionIdentity.server.isWelcomed = true
        liveSince = now
        silentSince = now
        // The announced limit may be too high, so the lines that the server refused count too.
        maxMessage = min(welcome.maxMessage, refused.limit)
        if welcome.have < outbox.first {
            outbox.prependGap(from: welcome.have, at: now.milliseconds, earlier)
        } else {
            outbox.acknowledge(below: welcome.have)
        }
        earlier = .serverLost
        outbox.replaceByGaps(longerThan: maxMessage)
        cursor = welcome.have
        var actions: [Action] = [.report(.connected(session: welcome.session))]
        if compresses, welcome.compress == Compression.deflate { actions.append(.compress) }
        actions += hold.obey(Control(recording: welcome.recording, locked: welcome.locked))
        if let start = welcome.start, start.isReplay { actions += hold.begin(replay: start.id, at: now) }
        actions.append(.settled(welcome.start))
        if outbox.isEmpty { actions.append(.acknowledged) }
        return actions + pump(now)
    }
}
