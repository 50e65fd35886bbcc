import TapeArchive

/// What a check has found so far.
final class CheckReport {
    var counts = ArchiveCheck.Counts()
    private let tell: (String) -> Void
    /// Stored states that aren't those that the events lead to.
    var wrongStates: [(session: Int64, store: String, seq: Int)] = []
    /// Found in what may have changed meanwhile; nil if problems are told at once.
    private var held: [String]?
    private let progress: (ArchiveCheck.Counts) throws -> Void

    init(tell: @escaping (String) -> Void, progress: @escaping (ArchiveCheck.Counts) throws -> Void) {
        (self.tell, self.progress) = (tell, progress)
    }

    func problem(_ text: String) {
        guard let held, held.count < Self.mostHeld else {
            release()
            counts.problems += 1
            return tell(text)
        }
        self.held?.append(text)
    }

    /// No running server makes so many appear.
    private static let mostHeld = 1_000

    private func release() {
        let problems = held ?? []
        held = nil
        for text in problems { problem(text) }
    }

    /// Looks again if a running server has changed something meanwhile: damage is found twice.
    ///
    /// - Parameter body: Reports problems. Returns whether nothing has changed while it ran.
    func steadily(_ body: () throws -> Bool) throws {
        defer { release() }
        let (events, states) = (counts.events, wrongStates.count)
        var before: Set<String>?
        for _ in 1...3 {
            held = []
            (counts.events, wrongStates) = (events, Array(wrongStates.prefix(states)))
            if try body() || held?.isEmpty != false { return }
            held?.removeAll { before?.contains($0) == false }
            before = held.map(Set.init)
        }
    }

    /// - Throws: What `progress` throws.
    func advance(events: Int = 0) throws {
        counts.events += events
        try progress(counts)
    }

    /// Reports it if something can't be read.
    ///
    /// - Throws: ``RepairStopped`` only.
    func trying(_ name: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let stop as RepairStopped {
            throw stop
        } catch {
            problem("\(name) can't be read: \(Damage.reason(error))")
        }
    }
}
