import Foundation
import TapeEngine
import TapeFormat
import TapeSockets

/// The answers that clients have not read yet. A few wait in memory. The rest wait in files, up to a limit, beyond which
/// a client is told to come back later.
final class PendingAnswers: Sendable {
    /// Shorter ones are not counted: a connection has one at a time.
    private static let small = 16 << 10
    /// What a stream has in memory at a time, about.
    private static let streamed = 512 << 10

    /// The bytes of all, and of each client.
    private struct Budget {
        let limit: Int
        /// Whether a thing may be larger than the limit if it is the only one, or than its client's share.
        let takesLarger: Bool
        private(set) var bytes = 0
        private var ofClients: [Requester: Int] = [:]

        init(limit: Int, takesLarger: Bool) {
            (self.limit, self.takesLarger) = (limit, takesLarger)
        }

        private func share(of client: Requester) -> Int {
            client.role == .control ? limit : limit / (client.isLocal ? 2 : 8)
        }

        func isFull(for client: Requester) -> Bool {
            bytes >= limit || ofClients[client, default: 0] >= share(of: client)
        }

        mutating func take(_ count: Int, for client: Requester) -> Bool {
            let own = ofClients[client, default: 0]
            guard bytes + count <= limit || takesLarger && bytes == 0,
                own + count <= share(of: client) || takesLarger && own == 0
            else { return false }
            bytes += count
            ofClients[client] = own + count
            return true
        }

        mutating func give(back count: Int, of client: Requester) {
            bytes -= count
            let own = ofClients[client, default: 0] - count
            ofClients[client] = own > 0 ? own : nil
        }
    }

    private struct State {
        var memory: Budget
        var disk: Budget
    }

    /// Counts while it exists.
    private final class Hold: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    private let folder: URL
    private let state: Locked<State>

    /// - Parameters:
    ///   - folder: Where the files are.
    ///   - memory: The most bytes in memory.
    ///   - disk: The most bytes in files.
    init(in folder: URL, memory: Int = 64 << 20, disk: Int = 1 << 30) {
        self.folder = folder
        state = Locked(
            State(memory: Budget(limit: memory, takesLarger: false), disk: Budget(limit: disk, takesLarger: true)))
    }

    /// Refuses a client that has to read first, before anything is done for it.
    func check(_ client: Requester) throws(Problem) {
        if state.withLock({ $0.disk.isFull(for: client) }) { throw Self.full }
    }

    /// The bytes that wait in memory and in files.
    var bytes: (memory: Int, disk: Int) { state.withLock { ($0.memory.bytes, $0.disk.bytes) } }

    /// The answer as it waits for its client.
    func keep(_ answer: HTTPAnswer, for client: Requester) -> HTTPAnswer {
        switch answer {
        case .whole(var response):
            let count = response.body.count
            guard count > Self.small else { return answer }
            if let hold = hold(count, \.memory, client) {
                response.held = hold
                return .whole(response)
            }
            guard let hold = hold(count, \.disk, client),
                let file = AnswerFile(response.body, in: folder, held: hold)
            else { return .whole(Self.full.response) }
            let head = HTTPResponseHead(
                status: response.status, headers: response.headers + [("content-length", "\(count)")])
            return .stream(head) { try file.next() }
        case .stream(let head, let next):
            guard let hold = hold(Self.streamed, \.memory, client) else { return .whole(Self.full.response) }
            let waiting = Locked<AnswerFile?>(nil)
            return .stream(head) { [self] in
                try withExtendedLifetime(hold) {
                    if let piece = try waiting.withLock({ $0 })?.next() { return piece }
                    waiting.withLock { $0 = nil }
                    let piece = try next()
                    guard let large = piece, large.count > Self.streamed else { return piece }
                    // The line of a large state. Without room the answer is cut off.
                    guard let held = self.hold(large.count, \.disk, client),
                        let file = AnswerFile(large, in: folder, held: held)
                    else { throw Self.full }
                    waiting.withLock { $0 = file }
                    return try file.next()
                }
            }
        }
    }

    /// A large state as a file, so that its text doesn't wait in memory.
    ///
    /// - Parameter size: The size of its text, about.
    func file(of state: HeldState, size: Int, for client: Requester) throws(Problem) -> AnswerFile {
        guard let hold = hold(size, \.disk, client), let file = AnswerFile(in: folder, held: hold) else {
            throw Self.full
        }
        do {
            try state.write(inPiecesOf: Self.streamed) { if !file.append($0) { throw Self.full } }
        } catch {
            throw Self.full
        }
        return file
    }

    private func hold(
        _ count: Int, _ budget: any WritableKeyPath<State, Budget> & Sendable, _ client: Requester
    ) -> Hold? {
        guard state.withLock({ $0[keyPath: budget].take(count, for: client) }) else { return nil }
        return Hold { [state] in
            state.withLock { $0[keyPath: budget].give(back: count, of: client) }
            if count >= FreedMemory.large { FreedMemory.giveBackSoon() }
        }
    }

    private static var full: Problem {
        Problem(
            503, "busy", "Too many answers are waiting for clients at this address to read them; try again later.",
            retryAfter: .seconds(5))
    }
}
