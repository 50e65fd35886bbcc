import TapeFormat

// Messages from the server.
extension LinkState {
    mutating func received(_ message: [UInt8], _ now: Duration) -> [Action] {
        var actions: [Action] = []
        for line in message.lines where phase == .greeting || phase == .live {
            do {
                actions += try received(ServerLine(parsing: line), now)
            } catch {
                actions.append(.log("The recorder can't read a line from the server: \(error)"))
            }
        }
        return actions
    }

    mutating func received(_ line: ServerLine, _ now: Duration) -> [Action] {
        switch line {
        case .welcome(let welcome): return phase == .greeting ? welcomed(welcome, now) : []
        case .error(let error): return [.log("The server says: \(error.message.prefix(Self.maxText))")]
        case .unknown: return []
        default: return phase == .live ? obey(line, now) : []
        }
    }

    mutating func obey(_ line: ServerLine, _ now: Duration) -> [Action] {
        switch line {
        case .ack(let next):
            silentSince = now
            outbox.acknowledge(below: next)
            cursor = max(cursor, outbox.first)
            return (outbox.isEmpty ? [.acknowledged] : []) + pump(now)
        case .push, .replay, .loop, .want, .control: return isRecovered ? [] : play(line, now)
        case .welcome, .error, .unknown: return []
        }
    }

    mutating func play(_ line: ServerLine, _ now: Duration) -> [Action] {
        switch line {
        case .push(let push):
            guard isShort(push.id) else { return [Self.ignoredPush] }
            guard answers.isNew(push.id) else { return pump(now) }
            if hold.isLoop { return refuse(push.id, .looping) + pump(now) }
            // Nothing would put the app's own state back.
            if push.travel != nil, !hold.isLocked || hold.replay != nil {
                return refuse(push.id, .unlocked) + pump(now)
            }
            if hold.isLocked, case .action = push.content { return refuse(push.id, .locked) + pump(now) }
            return [.play(push)]
        case .loop(let loop):
            if loop.states == nil { return hold.replay == loop.id ? [.stopLoop(loop.id)] : [] }
            guard isShort(loop.id) else { return [Self.ignoredPush] }
            guard answers.isNew(loop.id) else { return pump(now) }
            guard hold.replay == nil else { return refuse(loop.id, .looping) + pump(now) }
            return hold.begin(loop, at: now)
        case .replay(let replay): return hold.received(replay, at: now)
        case .want(let store): return [.full(store: store)]
        case .control(let control): return hold.obey(control)
        case .ack, .welcome, .error, .unknown: return []
        }
    }

    static let ignoredPush = Action.log("The recorder ignored a push: its id is too long.")

    /// Whether an id is short enough to be remembered.
    func isShort(_ id: String) -> Bool { id.utf8.count <= Self.maxText }

    mutating func refuse(_ id: String, _ failure: Pushed.Failure) -> [Action] {
        answers.answer(Pushed(id: id, result: .failed(failure)), isConnected: true)
        return []
    }
}
