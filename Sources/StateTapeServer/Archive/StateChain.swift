#if Server
    import TapeFormat

    /// The states of a session's stores, carried from event to event and held against what the archive says of them.
    struct StateChain {
        let session: Session
        let archive: SQLiteArchive
        private var walks: [UTF8Text: StoreWalk] = [:]
        /// Events whose patches the server has marked as broken; read with the first line.
        private var marked: Set<Int>?
        /// The largest limit that a server can be given: what it has marked as too large is no fault of the archive's.
        private static let maxState = 1 << 30
        /// Bytes of memory for the states of all stores.
        private static let maxCost = 512 << 20

        /// - Parameter archive: That of the session, which was read up to where the chain begins.
        init(_ session: Session, _ archive: SQLiteArchive) {
            self.session = session
            self.archive = archive
        }

        /// Takes the next line.
        ///
        /// - Returns: What of the archive doesn't hold.
        mutating func take(_ line: EventLine) throws -> String? {
            switch line.kind {
            case .gap:
                for key in Array(walks.keys) { _ = walks[key]?.take(line) }
                return nil
            case .note, .end: return nil
            default: break
            }
            let key = UTF8Text(line.store)
            var walk =
                walks.removeValue(forKey: key)
                ?? StoreWalk(
                    store: line.store, before: line.seq, isAttached: false, maxState: Self.maxState)
            let marked = try marked ?? archive.brokenSeqs(of: session.row)
            self.marked = marked
            // A marked patch may be one that takes long to fail: it isn't tried again.
            let reason = marked.contains(line.seq) ? walk.skip(line) : walk.take(line)
            walks[key] = walk
            if line.seq % 64 == 0 || line.bytes.count > 1 << 16,
                walks.values.reduce(0, { $0 + $1.cost }) > Self.maxCost
            {
                // What isn't known isn't compared.
                walks = [key: walk]
            }
            // Lines that no server has looked at yet bear no mark.
            guard let reason, line.seq < session.sealed else { return nil }
            return "event \(line.seq): its patch doesn't apply and isn't marked so: \(reason)"
        }

        /// Compares the states with the keyframes after these events, and takes from them what it doesn't know.
        ///
        /// - Returns: What of the archive doesn't hold.
        mutating func compare(after seqs: Range<Int>) throws -> [String] {
            var problems: [String] = []
            for (store, seq) in try archive.keyframes(of: session.row, after: seqs) {
                let place = "the keyframe of store “\(store)” after event \(seq)"
                do {
                    guard let bytes = try archive.keyframe(of: session.row, store: store, at: seq) else { continue }
                    let state = try JSON(parsing: bytes)
                    if let known = walks[UTF8Text(store)]?.known, !known.hasSameText(as: state) {
                        problems.append("\(place) is not the state there")
                    }
                    walks[UTF8Text(store)] = StoreWalk(
                        store: store, after: seq, state: state, maxState: Self.maxState)
                } catch {
                    problems.append("\(place): \(error)")
                }
            }
            return problems
        }
    }
#endif
