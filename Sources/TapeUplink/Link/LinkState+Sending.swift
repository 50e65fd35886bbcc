import TapeFormat

// Sends what the server lacks.
extension LinkState {
    /// Sends as much as the transport has room for.
    mutating func pump(_ now: Duration) -> [Action] {
        guard phase == .live else { return [] }
        var actions: [Action] = []
        while undrained < Self.window, let message = nextMessage() {
            undrained += message.count
            actions.append(.send(message))
        }
        if cursor >= outbox.next, isFullDue {
            isFullDue = false
            actions.append(.full(store: nil))
        }
        return actions + (outbox.isEmpty ? [] : watchSilence(now))
    }

    mutating func nextMessage() -> [UInt8]? {
        var message: [UInt8] = []
        func add(_ bytes: [UInt8]) {
            if !message.isEmpty { message.append(UInt8(ascii: "\n")) }
            message += bytes
        }
        while let answer = answers.next(below: cursor) {
            add(AppLine.pushed(answer).bytes)
        }
        if let queued { add(AppLine.queued(queued).bytes) }
        queued = nil
        while cursor < outbox.next, !refused.isHeld(cursor, outbox), let line = outbox.line(at: cursor) {
            guard message.isEmpty || message.count + line.bytes.count < min(Self.batch, maxMessage) else { break }
            add(line.bytes)
            let isSingle = refused.isSingle(cursor)
            cursor = line.seq + 1
            if line.kind == .gap { isFullDue = true }
            if isSingle { break }
            while let answer = answers.next(below: cursor) { add(AppLine.pushed(answer).bytes) }
        }
        return message.isEmpty ? nil : message
    }

    /// The server acknowledges a long line only after it has arrived, which takes its time.
    var silenceLimit: Duration { Self.silenceLimit + .seconds(undrained / Self.slowest) }

    mutating func watchSilence(_ now: Duration) -> [Action] {
        guard !isWatchingSilence else { return [] }
        isWatchingSilence = true
        return [.wait(.silence, max(.zero, silentSince + silenceLimit - now))]
    }
}
