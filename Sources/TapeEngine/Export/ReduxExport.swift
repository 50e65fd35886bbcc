import Foundation
import TapeFormat

/// Writes the events of one store as a lifted state of the Redux DevTools, chunk by chunk.
///
/// The file contains each computed state in full, so that its size is about the state's size times the number of events.
package struct ReduxExport {
    /// The action type for a state that was set outside of the reducer.
    static let replaced = "@@STATETAPE/replace"
    /// The error in place of a state that was not recorded.
    static let unrecorded = "The state was not recorded."
    /// The maximum number of events in a file.
    package static let maxEvents = 10_000
    /// The approximate maximum size of all states in a file, in bytes.
    private static let maxBytes = 256 << 20
    /// The approximate size of a chunk in bytes.
    private static let maxPiece = 256 << 10

    private enum Stage {
        case actions, ids, states, end
    }

    private let store: String
    /// The position of the file's first state.
    private let start: StateWalk
    private var walk: StateWalk
    /// The start of the session, in ms since 1970.
    private let started: Double
    /// The time of the first event, in ms since 1970.
    private let firstTime: Double
    private var stage = Stage.actions
    /// The action id of the last event.
    private var id = 0

    package enum Failure: Error {
        /// The caller must choose one of these stores.
        case severalStores([String])
        /// The store has no state from an event on.
        case noState(store: String, from: Int)
    }

    /// - Parameters:
    ///   - store: The store; by default `main`, or the only one.
    ///   - part: The events to export.
    /// - Throws: ``Failure``; ``TooLarge`` if the file would exceed the limits.
    package init(_ tape: any TapeSource, store: String?, _ part: Range<Int>, _ states: States) throws {
        self.store = try store ?? Self.onlyStore(of: tape)
        let start = try Self.start(of: tape, self.store, from: part.lowerBound, states)
        // The file contains at least the event that it starts with.
        self.start = try StateWalk(tape, self.store, after: start, to: max(start + 1, part.upperBound), states)
        walk = self.start
        started = tape.header.startTime
        firstTime = try started + (tape.line(at: max(start, tape.seqs.lowerBound))?.at.double ?? 0)
        try measure()
    }

    /// The event before `from` if the store has a state there, otherwise the event of its next full state.
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

    /// The next chunk of the file; nil at the end.
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
            Self.write(try start.state ?? .null, to: &piece)
            piece += ",\"computedStates\":[".utf8
            Self.write(try start.state, error: nil, to: &piece)
            rewind()
            stage = .states
        case .states:
            while piece.count < Self.maxPiece, let line = try next() {
                piece.append(UInt8(ascii: ","))
                Self.write(try walk.state, error: line.kind == .action ? line["error"]?.string : nil, to: &piece)
            }
            if piece.count < Self.maxPiece {
                piece += "],\"isLocked\":false,\"isPaused\":false}\n".utf8
                stage = .end
            }
        case .end: return nil
        }
        return piece
    }

    /// Checks the limits before the first chunk.
    private mutating func measure() throws {
        var size = try start.state?.bytes.count ?? 0
        var bytes = size
        var last: Int?
        while let line = try next() {
            // A patch adds at most its own length; every 64th state is measured exactly.
            size = line.size("state") ?? size + (line.size("patch") ?? 0)
            if id % 64 == 0 { size = try walk.state?.bytes.count ?? size }
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

    /// The next event of the store, or the next gap.
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
        write(action, to: &bytes)
        bytes += Array(",\"timestamp\":\(time)}".utf8)
    }

    private static func action(_ line: EventLine) -> JSON {
        switch line.kind {
        case .action: line["action"] ?? .null
        case .gap: ["type": "@@STATETAPE/gap", "payload": ["count": .number(.init(line.count))]]
        default: ["type": .string(replaced), "payload": ["cause": line["cause"] ?? ["attached": true]]]
        }
    }

    private static func write(_ state: JSON?, error: String?, to bytes: inout [UInt8]) {
        var members = JSON.Object()
        members["state"] = state
        members["error"] = (error ?? (state == nil ? unrecorded : nil)).map(JSON.string)
        write(.object(members), to: &bytes)
    }

    /// Writes a value so that a reader of `$jsan` finds the same.
    private static func write(_ json: JSON, to bytes: inout [UInt8]) {
        let start = bytes.count
        json.write(to: &bytes)
        guard JsanValues.isUsed(in: bytes[start...]) else { return }
        bytes.removeSubrange(start...)
        JsanValues.escaped(json).write(to: &bytes)
    }
}

extension Header {
    /// The start of the session, in ms since 1970; 0 if the header has no valid time.
    fileprivate var startTime: Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = (try? style.parse(started)) ?? (try? Date.ISO8601FormatStyle().parse(started))
        return ((date?.timeIntervalSince1970 ?? 0) * 1_000).rounded()
    }
}
