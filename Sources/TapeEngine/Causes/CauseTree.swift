package import TapeFormat

/// What started an event, and what it started: the chain of causes up to the root, and the tree of effects.
///
/// A cause is an earlier event. So the chain ends whatever a tape says, and one pass over the later events finds the
/// whole tree, with every cause before its effects.
package struct CauseTree {
    /// The maximum length of the chain.
    package static let maxCauses = 100
    /// The maximum number of effects in the answer, and of those that are counted.
    package static let maxEffects = 1_000
    package static let maxCounted = 100_000
    /// The chain and the list of effects each end with the head that reaches this many bytes.
    private static let maxBytes = 1 << 20

    /// Heads as JSON, up to a size.
    private struct Heads {
        private(set) var heads: [JSON] = []
        private var bytes = 0
        let most: Int

        init(most: Int) {
            self.most = most
        }

        var isFull: Bool { heads.count >= most || bytes >= maxBytes }

        mutating func append(_ head: EventHead) {
            heads.append(head.json)
            bytes += heads.last?.bytes.count ?? 0
        }
    }

    /// The event before the beginning of the chain.
    private struct Earlier {
        let seq: Int
        /// False if the event was dropped, or is not a part of this tape.
        let isRecorded: Bool
    }

    /// The event, or the gap that covers it.
    private let seqs: ClosedRange<Int>
    /// The chain, from the direct cause to the root.
    private var causes = Heads(most: maxCauses)
    private var earlier: Earlier?
    /// Direct and indirect effects, in order.
    private var effects = Heads(most: maxEffects)
    /// The counted effects.
    private var known: Set<Int> = []

    /// Reads the chain of causes of an event.
    ///
    /// - Throws: Errors of the storage.
    package init(_ tape: any TapeSource, of seq: Int) throws {
        var head = try tape.heads(from: seq)?.first
        seqs = head.map { $0.first...$0.seq } ?? seq...seq
        while let cause = head?.cause {
            let found = tape.seqs ~= cause ? try tape.heads(from: cause)?.first : nil
            guard let found, found.seq == cause, found.kind != .gap else {
                earlier = Earlier(seq: cause, isRecorded: false)
                break
            }
            guard !causes.isFull else {
                earlier = Earlier(seq: cause, isRecorded: true)
                break
            }
            causes.append(found)
            head = found
        }
    }

    /// Whether no more effects are counted.
    package var isFull: Bool { known.count >= Self.maxCounted }

    /// Takes the events after this one, in order.
    package mutating func take(_ head: EventHead) {
        guard !isFull, let cause = head.cause, seqs ~= cause || known.contains(cause) else { return }
        if !effects.isFull { effects.append(head) }
        known.insert(head.seq)
    }

    /// - Parameter next: The event at which the search ended early.
    package func members(next: Int?) -> [(String, JSON)] {
        let earlier: JSON? = earlier.map { ["seq": .number(.init($0.seq)), "recorded": .bool($0.isRecorded)] }
        return [
            ("seq", .number(.init(seqs.upperBound))), ("causes", .array(causes.heads.reversed())),
            ("earlier", earlier ?? .null),
            ("effects", .array(effects.heads)), ("count", .number(.init(known.count))),
            ("next", next.map { .number(.init($0)) } ?? .null),
        ]
    }
}
