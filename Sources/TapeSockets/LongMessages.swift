/// Limits how many long messages a listener receives at once: each takes its length in memory, several times while it is
/// processed. On the loop's thread only.
final class LongMessages {
    /// Bytes of the longest message that needs no turn.
    static let short = 1 << 20
    /// About how many bytes all long messages may have.
    private static let room = 256 << 20

    private let most: Int
    private var holders: Set<ObjectIdentifier> = []
    private var waiting: [Connection] = []

    init(maxMessage: Int) {
        most = max(1, Self.room / max(1, maxMessage))
    }

    /// Takes a turn for the rest of a message.
    ///
    /// - Returns: False if the connection must wait; it gets its turn later, through ``Connection/longMessageTurn()``.
    func enter(_ connection: Connection) -> Bool {
        guard holders.count >= most else {
            holders.insert(ObjectIdentifier(connection))
            return true
        }
        waiting.append(connection)
        return false
    }

    /// Ends a connection's turn, or its wait.
    func leave(_ connection: Connection) {
        waiting.removeAll { $0 === connection }
        guard holders.remove(ObjectIdentifier(connection)) != nil, !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        holders.insert(ObjectIdentifier(next))
        next.longMessageTurn()
    }
}

extension Connection {
    /// After a piece of an incomplete message was kept. Without a turn, nothing more is read for now.
    func beginLongMessage(_ io: ConnectionIO) {
        guard let turns = io.longMessages, !io.hasTurn, !io.waitsForTurn else { return }
        io.hasTurn = turns.enter(self)
        io.waitsForTurn = !io.hasTurn
        if io.waitsForTurn { pause() }
    }

    /// The connection may read the rest of its long message.
    func longMessageTurn() {
        (io.value.hasTurn, io.value.waitsForTurn) = (true, false)
        // In a later turn of the loop, since resuming passes on data that was read before.
        loop.execute { if !self.io.value.wantsPause { self.resume() } }
    }

    /// After a long message: its handler may have paused the connection to process it.
    func endLongMessage(_ io: ConnectionIO) {
        guard io.hasTurn || io.waitsForTurn, io.incoming.isEmpty, !io.wantsPause else { return }
        (io.hasTurn, io.waitsForTurn) = (false, false)
        io.longMessages?.leave(self)
    }
}
