import Dispatch

/// A message that has become long. It waits in a file until all of it has arrived, so that a slow sender takes neither
/// memory nor the turn of others. On the loop's thread only.
final class LongMessage {
    let file: SpoolFile
    /// Bytes that have arrived, and those of them that are not in the file yet.
    var count = 0
    var unwritten = 0
    var isWhole = false
    var isText = false
    /// When the last bytes arrived.
    var heard = ContinuousClock.now
    /// The whole message, once it has its turn.
    var bytes: [UInt8]?

    init(in file: SpoolFile) { self.file = file }
}

extension Connection {
    /// The most bytes that wait for the disk. More are not read.
    private static let maxUnwritten = 4 << 20

    /// Keeps what has arrived of a long message.
    func keepLongMessage(_ io: ConnectionIO, in messages: LongMessages, isLast: Bool, isText: Bool) {
        let piece = io.incoming
        io.incoming = []
        let long: LongMessage
        do throws(SpoolFile.Failure) {
            long = try messages.message(of: self)
        } catch {
            return dropLongMessage(messages, error)
        }
        guard messages.makeRoom(for: piece.count, of: self) else {
            return dropLongMessage("the server has no room for a long message now")
        }
        long.count += piece.count
        long.unwritten += piece.count
        long.heard = .now
        (long.isWhole, long.isText) = (isLast, isText)
        // What comes after the message waits for it.
        if isLast || long.unwritten > Self.maxUnwritten {
            io.waitsForTurn = true
            pause()
        }
        let (file, loop) = (long.file, loop)
        messages.disk.async {
            let written = Result { () throws(SpoolFile.Failure) in try file.append(piece) }
            loop.execute { self.wrote(piece.count, to: file, written) }
        }
    }

    private func wrote(_ count: Int, to file: SpoolFile, _ written: Result<Void, SpoolFile.Failure>) {
        let io = io.value
        guard let messages = io.longMessages, let long = io.long, long.file === file else { return }
        if case .failure(let failure) = written { return dropLongMessage(messages, failure) }
        long.unwritten -= count
        if long.isWhole {
            if long.unwritten == 0 { messages.enter(self) }
        } else if io.waitsForTurn, long.unwritten <= Self.maxUnwritten / 2 {
            io.waitsForTurn = false
            if !io.wantsPause { resume() }
        }
    }

    /// The message has a turn: it is read from the file, and passed on.
    func longMessageTurn(_ messages: LongMessages) {
        guard let file = io.value.long?.file else { return }
        let loop = loop
        messages.disk.async {
            let bytes = file.read(from: 0, most: file.count)
            loop.execute {
                let io = self.io.value
                guard let long = io.long, long.file === file else { return }
                guard let bytes else { return self.dropLongMessage("the server can't read what it has received") }
                long.bytes = bytes
                if !io.wantsPause { self.passOnLongMessage() }
            }
        }
    }

    /// Passes on a message that has its turn. Its handler may pause the connection while it works on it.
    func passOnLongMessage() {
        let io = io.value
        guard let long = io.long, let bytes = long.bytes else { return }
        (io.long, io.waitsForTurn, io.hasTurn) = (nil, false, true)
        io.longMessages?.forget(self)
        io.handler?.received(self, bytes, isText: long.isText)
        if let lost = io.lost { return end(lost) }
        if !io.wantsPause { resume() }
    }

    /// Ends the turn of a message on which nobody works any more.
    func endLongMessage(_ io: ConnectionIO) {
        guard io.hasTurn, !io.wantsPause else { return }
        io.hasTurn = false
        io.longMessages?.leave(self)
    }

    private func dropLongMessage(_ messages: LongMessages, _ failure: SpoolFile.Failure) {
        let reason = "the server can't keep a long message: \(failure.reason)"
        messages.failed(peer, reason)
        dropLongMessage(reason)
    }

    /// The peer may try again later.
    func dropLongMessage(_ reason: String) {
        let io = io.value
        (io.ignoresInput, io.isPeerDone) = (true, true)
        (io.long, io.incoming, io.unread) = (nil, [], [])
        io.longMessages?.leave(self)
        // Not 1013: libwebsockets, which the apps use, takes that for a fault.
        close(code: 1001, reason: reason)
    }
}
