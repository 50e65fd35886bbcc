#if Server
    import Foundation
    import TapeFormat

    /// One store's part of a session as a lifted state of the Redux DevTools, piece by piece.
    ///
    /// Every computed state is whole there, so that files grow with the state times the events.
    struct ReduxExport {
        /// The type of what set the state outside a reduction.
        static let replaced = "@@STATETAPE/replace"
        /// Events of a file, and about the bytes of all its states.
        static let maxEvents = 10_000
        static let maxBytes = 256 << 20

        private enum Stage {
            case actions, ids, states, end
        }

        private let tape: TapeReader
        private let session: Session
        private let store: String
        /// After the event that the file begins with.
        private let start: StoreWalk
        private let end: Int
        /// The first event after `start`, which a gap around it may reach over.
        private let first: Int
        /// When the session began, in ms since 1970.
        private let started: Double
        private var stage = Stage.actions
        private var walk: StoreWalk
        /// The next event to write, and the number that it gets.
        private var next: Int
        private var id = 0

        /// - Parameters:
        ///   - start: The event after which the file begins.
        ///   - end: After the last event.
        /// - Throws: `Problem` if the file would be too large.
        init(_ session: Session, store: String, after start: Int, to end: Int, tape: TapeReader, states: States) throws
        {
            self.tape = tape
            self.session = session
            self.store = store
            // Where there is nothing after the event that it begins with, it ends there.
            self.end = max(start + 1, end)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let date =
                (try? style.parse(session.header.started))
                ?? (try? Date.ISO8601FormatStyle().parse(session.header.started))
            started = ((date?.timeIntervalSince1970 ?? 0) * 1_000).rounded()
            self.start = try states.walk(session, store, to: start)
            walk = self.start
            first = start + 1
            next = first
            try measure()
        }

        /// The next piece of the file; nil after its end.
        mutating func piece() throws -> [UInt8]? {
            var piece: [UInt8] = []
            switch stage {
            case .actions:
                if id == 0 {
                    piece += Array("{\"monitorState\":{},\"actionsById\":{".utf8)
                    Self.write(["type": "@@INIT"], at: started + (try firstTime()), id: 0, to: &piece)
                }
                let started = started
                try each { line, _, id in
                    piece.append(UInt8(ascii: ","))
                    Self.write(Self.action(line), at: started + line.at.double, id: id, to: &piece)
                    return piece.count < 256 << 10
                }
                if next >= end {
                    piece += Array("},\"nextActionId\":\(id + 1),\"stagedActionIds\":[".utf8)
                    stage = .ids
                }
            case .ids:
                piece += Array((0...id).map(String.init).joined(separator: ",").utf8)
                piece += Array("],\"skippedActionIds\":[],\"currentStateIndex\":\(id),\"committedState\":".utf8)
                piece += Self.known(start)?.bytes ?? Array("null".utf8)
                piece += Array(",\"computedStates\":[".utf8)
                Self.write(start, to: &piece)
                rewind()
                stage = .states
            case .states:
                try each { _, walk, _ in
                    piece.append(UInt8(ascii: ","))
                    Self.write(walk, to: &piece)
                    return piece.count < 256 << 10
                }
                if next >= end {
                    piece += Array("],\"isLocked\":false,\"isPaused\":false}\n".utf8)
                    stage = .end
                }
            case .end: return nil
            }
            return piece
        }

        /// Counts before anything is sent.
        private mutating func measure() throws {
            var size = Self.known(start)?.bytes.count ?? 0
            var bytes = size
            var last = next - 1
            var isTooLarge = false
            try each { line, walk, id in
                // A patch adds its own length at most; now and then the state is written to know.
                size = line.size("state") ?? size + (line.size("patch") ?? 0)
                if id % 64 == 0 { size = Self.known(walk)?.bytes.count ?? size }
                bytes += size
                isTooLarge = id > Self.maxEvents || bytes > Self.maxBytes
                if !isTooLarge { last = line.seq }
                return !isTooLarge
            }
            guard !isTooLarge else {
                throw Problem(
                    413, "too-large",
                    """
                    Such a file may have \(Self.maxEvents) events and about \(Self.maxBytes >> 20) MiB of states; \
                    up to event \(last) it fits: see “from” and “to”.
                    """, [("to", .number(.init(last)))])
            }
            rewind()
        }

        private mutating func rewind() {
            walk = start
            next = first
            id = 0
        }

        /// Goes on over the store's events, with the state after each and its number, until `body` returns false.
        private mutating func each(_ body: (EventLine, StoreWalk, Int) throws -> Bool) throws {
            var goesOn = true
            // Copied for the closure: it can't hold what it changes.
            var (walk, next, id) = (walk, next, id)
            try tape.each(of: session.row, in: next..<end) { line in
                // A gap may end after the part.
                next = min(line.seq + 1, end)
                _ = walk.take(line)
                let isOurs = line.store.utf8.elementsEqual(store.utf8)
                switch line.kind {
                case .action where isOurs, .replace where isOurs, .`init` where isOurs, .gap: id += 1
                default: return true
                }
                goesOn = try body(line, walk, id)
                return goesOn
            }
            if goesOn { next = end }
            (self.walk, self.next, self.id) = (walk, next, id)
        }

        private func firstTime() throws -> Double {
            try tape.line(of: session.row, at: max(start.seq, session.first))?.at.double ?? 0
        }

        private static func write(_ action: JSON, at: Double, id: Int, to bytes: inout [UInt8]) {
            let time = JSON.Number((at * 1_000).rounded() / 1_000) ?? JSON.Number(0)
            bytes += Array("\"\(id)\":{\"type\":\"PERFORM_ACTION\",\"action\":".utf8)
            action.write(to: &bytes)
            bytes += Array(",\"timestamp\":\(time)}".utf8)
        }

        private static func action(_ line: EventLine) -> JSON {
            switch line.kind {
            case .action: line["action"] ?? .null
            case .gap: ["type": "@@STATETAPE/gap", "payload": ["count": .number(.init(line.count))]]
            default: ["type": .string(replaced), "payload": ["cause": line["cause"] ?? ["attached": true]]]
            }
        }

        private static func known(_ walk: StoreWalk) -> JSON? {
            guard case .state(let state) = walk.value, !walk.isSkipped else { return nil }
            return state
        }

        private static func write(_ walk: StoreWalk, to bytes: inout [UInt8]) {
            guard let state = known(walk) else {
                bytes += Array("{\"error\":\"The state was not recorded.\"}".utf8)
                return
            }
            bytes += Array("{\"state\":".utf8)
            state.write(to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
    }
#endif
