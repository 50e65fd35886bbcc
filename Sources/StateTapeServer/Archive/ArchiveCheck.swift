#if Server
    package import Logging
    import TapeEngine
    import TapeFormat

    /// Reads a whole archive and reports every problem: damaged database pages, wrong checksums, events out of order,
    /// heads that don't match lines, and patches that don't match keyframes.
    ///
    /// It changes nothing, and a server may be running.
    package struct ArchiveCheck {
        /// What was checked so far.
        package struct Figures: Sendable {
            package fileprivate(set) var sessions = 0
            package fileprivate(set) var events = 0
            package fileprivate(set) var problems = 0
        }

        private let archive: any Archive
        private let tapes: Tapes
        private let tell: (String) -> Void
        private let progress: (Figures) -> Void
        private var figures = Figures()

        /// - Parameters:
        ///   - address: The archive.
        ///   - tell: Called with each problem.
        ///   - progress: Called now and then with the figures so far.
        /// - Returns: The final figures.
        /// - Throws: ``ServerError`` if the archive doesn't exist or can't be opened.
        package static func run(
            _ address: ArchiveAddress, logger: Logger, tell: @escaping (_ problem: String) -> Void,
            progress: @escaping (Figures) -> Void
        ) throws -> Figures {
            var check = ArchiveCheck(
                archive: try address.openForReading(logger: logger), tell: tell, progress: progress)
            try check.run()
            return check.figures
        }

        private init(archive: any Archive, tell: @escaping (String) -> Void, progress: @escaping (Figures) -> Void) {
            self.archive = archive
            tapes = Tapes(archive)
            self.tell = tell
            self.progress = progress
        }

        private mutating func run() throws {
            do {
                for problem in try archive.damage() { report("the database: \(problem)") }
            } catch {
                report("the database: \(Damage.reason(error))")
            }
            for id in try archive.allSessions() {
                do {
                    // The session may have been deleted since the list was read.
                    guard let session = try archive.upload(id) else { continue }
                    if session.isHeaderDamaged { report("session \(id): its header is damaged") }
                    for problem in try archive.troubles(of: session.row) { report("session \(id) \(problem)") }
                    try check(session)
                } catch {
                    report("session \(id) can't be read: \(Damage.reason(error))")
                }
                figures.sessions += 1
                progress(figures)
            }
        }

        private mutating func report(_ problem: String) {
            figures.problems += 1
            tell(problem)
        }

        private mutating func check(_ session: Session) throws {
            let name = "session \(session.id)"
            var check = TapeCheck(tapes[session], marked: session.sealed)
            var next = session.first
            while next < session.next {
                let first = next
                do {
                    let batch = try archive.batch(of: session.row, from: next, joinedTo: 0)
                    guard let batch, batch.first <= next else {
                        next =
                            try archive.damaged(of: session.row, at: first)?.upperBound ?? batch?.first ?? session.next
                        report("\(name): events \(first)–\(next - 1) are missing")
                        check = TapeCheck(tapes[session], marked: session.sealed)
                        continue
                    }
                    let lines = try batch.lines.filter { $0.seq >= first }
                    for problem in try check.take(lines) { report("\(name): \(problem)") }
                    next = batch.next
                    if let heads = try tapes.heads.sealed(of: session.row, from: first), !Self.agree(heads, lines) {
                        report("\(name): the heads of events \(first)–\(next - 1) don't match the lines")
                    }
                } catch {
                    // Always move forward, so that the events after the damage are read too.
                    next = max(first + 1, try archive.damaged(of: session.row, at: first)?.upperBound ?? session.next)
                    report("\(name): events \(first)–\(next - 1) can't be read: \(Damage.reason(error))")
                    check = TapeCheck(tapes[session], marked: session.sealed)
                }
                figures.events += next - first
                progress(figures)
            }
        }

        private static func agree(_ heads: ArraySlice<Head>, _ lines: [EventLine]) -> Bool {
            func bytes(_ heads: some Sequence<Head>) -> [UInt8] {
                heads.reduce(into: []) { $1.write(to: &$0) }
            }
            // A live session may have been sealed between the two reads, in other chunks.
            let last = lines.last?.seq ?? 0
            return bytes(heads.filter { $0.seq <= last }) == bytes(lines.map { Head($0) })
                || (heads.last?.seq ?? 0) < last
        }
    }
#endif
