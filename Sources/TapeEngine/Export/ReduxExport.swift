import Foundation
import TapeFormat

/// One store's part of a tape as a lifted state of the Redux DevTools, piece by piece.
///
/// Every computed state is whole there, so that files grow with the state times the events.
package struct ReduxExport {
    /// The type of what set the state outside a reduction.
    static let replaced = "@@STATETAPE/replace"
    /// Events of a file, and about the bytes of all its states.
    package static let maxEvents = 10_000
    private static let maxBytes = 256 << 20
    /// Bytes of a piece.
    private static let maxPiece = 256 << 10

    private enum Stage {
        case actions, ids, states, end
    }

    private let store: String
    /// At the event that the file begins with.
    private let start: StateWalk
    private var walk: StateWalk
    /// When the session and the first event began, in ms since 1970.
    private let started: Double
    private let firstTime: Double
    private var stage = Stage.actions
    /// The number of the last event.
    private var id = 0

    /// Why there is no file.
    package enum Failure: Error {
        /// One of these has to be named.
        case severalStores([String])
        /// The store has no state from an event on.
        case noState(store: String, from: Int)
    }

    /// - Parameters:
    ///   - store: By default `main`, or the only one.
    ///   - part: The events.
    /// - Throws: ``Failure``; ``TooLarge`` if the file would be.
    package init(_ tape: any TapeSource, store: String?, _ part: Range<Int>, _ states: States) throws {
        self.store = try store ?? Self.onlyStore(of: tape)
        let start = try Self.start(of: tape, self.store, from: part.lowerBound, states)
        // Where there is nothing after the event that it begins with, it ends there.
        self.start = try StateWalk(tape, self.store, after: start, to: max(start + 1, part.upperBound), states)
        walk = self.start
        started = tape.header.startTime
        firstTime = try started + (tape.line(at: max(start, tape.seqs.lowerBound))?.at.double ?? 0)
        try measure()
    }

    /// The event before `from` where the store has a state there, else its next full state.
    private static func start(of tape: any TapeSource, _ store: String, from: Int, _ states: States) throws -> Int {
        if from > 0, case .state = try states.state(of: tape, store: store, after: from - 1) { return from - 1 }
        guard let seq = try tape.nextState(of: store, after: from - 1) else {
            throw Failure.noState(store: store, from: from)
        }
        return seq
    }

    private static func onlyStore(of tape: any TapeSource) throws -> String {
        let stores = try tape.stores(upTo: tape.seqs.upperBound - 1)
        if stores.contains("main") || stores.isEmpty { return "main" }
        guard stores.count == 1 else { throw Failure.severalStores(stores) }
        return stores[0]
    }

    /// The next piece of the file; nil after its end.
    package mutating func piece() throws -> [UInt8]? {
        var piece: [UInt8] = []
        switch stage {
        case .actions:
            if id == 0 {
                piece += "{\"monitorState\":{},\"actionsById\":{".utf8
                Self.write(["type": "@@INIT"], at: firstTime, id: 0, to: &piece)
            }
            while piece.count < Self.maxPiece, let line = try next() {
                piece.append(UInt8(ascii: ","))
                Self.write(Self.action(line), at: started + line.at.double, id: id, to: &piece)
            }
            if piece.count < Self.maxPiece {
                piece += "},\"nextActionId\":\(id + 1),\"stagedActionIds\":[".utf8
                stage = .ids
            }
        case .ids:
            piece += (0...id).map(String.init).joined(separator: ",").utf8
            piece += "],\"skippedActionIds\":[],\"currentStateIndex\":\(id),\"committedState\":".utf8
            piece += start.state?.bytes ?? Array("null".utf8)
            piece += ",\"computedStates\":[".utf8
            Self.write(start.state, to: &piece)
            rewind()
            stage = .states
        case .states:
            while piece.count < Self.maxPiece, try next() != nil {
                piece.append(UInt8(ascii: ","))
                Self.write(walk.state, to: &piece)
            }
            if piece.count < Self.maxPiece {
                piece += "],\"isLocked\":false,\"isPaused\":false}\n".utf8
                stage = .end
            }
        case .end: return nil
        }
        return piece
    }

    /// Counts before anything is sent.
    private mutating func measure() throws {
        var size = start.state?.bytes.count ?? 0
        var bytes = size
        var last: Int?
        while let line = try next() {
            // A patch adds its own length at most; now and then the state is written to know.
            size = line.size("state") ?? size + (line.size("patch") ?? 0)
            if id % 64 == 0 { size = walk.state?.bytes.count ?? size }
            bytes += size
            guard id <= Self.maxEvents, bytes <= Self.maxBytes else {
                let last = last ?? line.first - 1
                throw TooLarge(
                    """
                    Such a file may have \(Self.maxEvents) events and about \(Self.maxBytes >> 20) MiB of states; \
                    up to event \(last) it fits: see “from” and “to”.
                    """, [("to", .number(.init(last)))])
            }
            last = line.seq
        }
        rewind()
    }

    private mutating func rewind() {
        walk = start
        id = 0
    }

    /// Goes on to the next event of the store, or gap, and counts it.
    private mutating func next() throws -> EventLine? {
        while let line = try walk.next() {
            switch line.kind {
            case .action, .replace, .`init`:
                guard line.store.hasSameUTF8(as: store) else { continue }
            case .gap: break
            default: continue
            }
            id += 1
            return line
        }
        return nil
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

    private static func write(_ state: JSON?, to bytes: inout [UInt8]) {
        guard let state else {
            bytes += "{\"error\":\"The state was not recorded.\"}".utf8
            return
        }
        bytes += "{\"state\":".utf8
        state.write(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Header {
    /// When the session started, in ms since 1970; 0 where the header tells no time.
    fileprivate var startTime: Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = (try? style.parse(started)) ?? (try? Date.ISO8601FormatStyle().parse(started))
        return ((date?.timeIntervalSince1970 ?? 0) * 1_000).rounded()
    }
}
