import Foundation

/// The long messages that a listener's connections receive. Those that arrive are in files; as many as there is memory for
/// have a turn: they are whole, and their handlers work on them. On the loop's thread only.
final class LongMessages {
    /// Bytes of the longest message that needs no turn.
    static let short = 1 << 20
    /// About how many bytes all messages with a turn may have: each takes its length several times.
    private static let room = 256 << 20

    /// Writes and reads the files.
    let disk = DispatchQueue(label: "statetape.long-messages")
    private let folder: URL
    private let most: Int
    /// The most bytes in files.
    private let maxBytes: Int
    private var bytes = 0
    private var arriving: [ObjectIdentifier: Connection] = [:]
    private var holders: Set<ObjectIdentifier> = []
    private var waiting: [Connection] = []
    /// Gets the reason why a peer's message can't be kept.
    let failed: @Sendable (_ peer: String, _ reason: String) -> Void

    init(
        in folder: URL, maxMessage: Int, maxBytes: Int,
        failed: @escaping @Sendable (_ peer: String, _ reason: String) -> Void
    ) {
        (self.folder, self.maxBytes, self.failed) = (folder, maxBytes, failed)
        most = max(1, Self.room / max(1, maxMessage))
    }

    /// The message that a connection receives.
    func message(of connection: Connection) throws(SpoolFile.Failure) -> LongMessage {
        let io = connection.io.value
        if let long = io.long { return long }
        let long = LongMessage(in: try SpoolFile(in: folder))
        io.long = long
        arriving[ObjectIdentifier(connection)] = connection
        return long
    }

    /// Counts bytes of a connection's message. If there is no room, the message of which nothing has come for the longest
    /// time is dropped, among those of the address with the most bytes.
    func makeRoom(for count: Int, of connection: Connection) -> Bool {
        while bytes + count > maxBytes {
            let others = arriving.values.filter { $0 !== connection && $0.io.value.long?.isWhole == false }
            let groups = Dictionary(grouping: others) { PeerAddress($0.peer).group }
            let largest = groups.values.max { Self.bytes(of: $0) < Self.bytes(of: $1) }
            guard let stalled = largest?.min(by: { Self.heard($0) < Self.heard($1) }) else { return false }
            stalled.dropLongMessage("others send long messages, and there is no room for all")
        }
        bytes += count
        return true
    }

    private static func bytes(of connections: [Connection]) -> Int {
        connections.reduce(0) { $0 + ($1.io.value.long?.count ?? 0) }
    }

    private static func heard(_ connection: Connection) -> ContinuousClock.Instant {
        connection.io.value.long?.heard ?? .now
    }

    /// Lets a message that is whole have its turn, now or later.
    func enter(_ connection: Connection) {
        guard holders.count < most else { return waiting.append(connection) }
        holders.insert(ObjectIdentifier(connection))
        connection.longMessageTurn(self)
    }

    /// The message is no longer in a file.
    func forget(_ connection: Connection) {
        arriving[ObjectIdentifier(connection)] = nil
        bytes = arriving.values.reduce(0) { $0 + ($1.io.value.long?.count ?? 0) }
    }

    /// Ends what a connection has: its message, its turn, or its wait.
    func leave(_ connection: Connection) {
        connection.io.value.long = nil
        forget(connection)
        waiting.removeAll { $0 === connection }
        guard holders.remove(ObjectIdentifier(connection)) != nil, !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        holders.insert(ObjectIdentifier(next))
        next.longMessageTurn(self)
    }
}
