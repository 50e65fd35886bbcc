import Foundation
package import TapeFormat

/// Converts a Redux DevTools export to a tape, with the states in the file. It runs no actions.
///
/// The file contains a lifted state, `{"actionsById":…,"stagedActionIds":…,"computedStates":…}`. The browser extension
/// saves `{"payload":"[…]","preloadedState":"…"}`; its payload is JSON text of the actions or of a lifted state.
package struct ReduxFile {
    package let header: Header
    package private(set) var lines: [EventLine] = []
    /// The start of the session, in ms since 1970.
    private let started: Double
    private var state: JSON?

    /// Returns nil if the JSON isn't a Redux DevTools export.
    ///
    /// - Throws: `FormatError` if a text in the file isn't JSON; ``TooLarge`` if an event is too long for a tape.
    package init?(_ json: JSON, name: String) throws {
        let payload = try json["payload"].map(Self.content)
        let lifted = payload ?? json
        guard payload?.array != nil || lifted["actionsById"]?.object != nil else { return nil }
        let times = lifted["actionsById"]?.object?.compactMap { Self.time($0.value) } ?? []
        started = times.min() ?? Date().timeIntervalSince1970 * 1_000
        header = Header(
            session: name, app: .init(id: "redux-devtools", name: "Redux DevTools"),
            started: Date(timeIntervalSince1970: started / 1_000)
                .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        let preloaded = try json["preloadedState"].map(Self.content)
        if let actions = payload?.array {
            if let preloaded { try attach(preloaded, at: nil) }
            for action in actions { try add(action, at: nil, state: nil) }
        } else {
            try read(lifted, preloaded)
        }
    }

    /// Parses JSON inside a JSON string, as the extension writes it.
    private static func content(_ json: JSON) throws(FormatError) -> JSON {
        guard let text = json.string else { return json }
        return try JSON(parsing: text)
    }

    /// The timestamp of an action; nil if it is outside of JavaScript's `Date` range.
    private static func time(_ entry: JSON) -> Double? {
        entry["timestamp"]?.double.flatMap { 0...8.64e15 ~= $0 ? $0 : nil }
    }

    private mutating func read(_ lifted: JSON, _ preloaded: JSON?) throws {
        let ids = lifted["stagedActionIds"]?.array ?? []
        let entries = lifted["actionsById"]?.object ?? JSON.Object()
        let find = entries.finder()
        let states = lifted["computedStates"]?.array ?? []
        for (position, id) in ids.enumerated() {
            let entry = find(id.string ?? id.number?.text ?? "").map { entries[$0].value }
            // A failed computation repeats the state before it.
            let computed = position < states.count ? states[position] : .null
            let state = computed["error"]?.string == nil ? computed["state"] : nil
            let time = entry.flatMap(Self.time)
            if position == 0 {
                // The first action, @@INIT, only carries the initial state.
                if let first = state ?? lifted["committedState"] ?? preloaded { try attach(first, at: time) }
            } else if let action = entry?["action"] {
                try add(action, at: time, state: state)
            }
        }
    }

    private mutating func attach(_ state: JSON, at time: Double?) throws {
        self.state = state
        try append(.`init`, at: time, [("state", state)])
    }

    private mutating func add(_ action: JSON, at time: Double?, state: JSON?) throws {
        let outcome = outcome(state)
        if let cause = action["payload"]?["cause"], action["type"]?.string == ReduxExport.replaced, state != nil {
            try append(.replace, at: time, [outcome, ("cause", cause)])
        } else {
            try append(.action, at: time, [("action", Self.tapeAction(action)), outcome])
        }
    }

    /// What the line says of the state after it.
    private mutating func outcome(_ next: JSON?) -> (String, JSON) {
        guard let next else { return ("skipped", true) }
        defer { state = next }
        guard let state else { return ("state", next) }
        let patch = Patch.between(state, next).json
        return patch.bytes.count < next.bytes.count ? ("patch", patch) : ("state", next)
    }

    private mutating func append(_ kind: EventKind, at time: Double?, _ members: [(String, JSON)]) throws {
        let line = EventLine(
            seq: lines.count, at: max(0, (time ?? started) - started), kind: kind, members: members)
        guard line.bytes.count <= Limits.line else {
            throw TooLarge("Event \(line.seq) would be longer than \(Limits.line) bytes.")
        }
        lines.append(line)
    }

    /// An action with a type and a payload. Members of any other name become the payload.
    private static func tapeAction(_ action: JSON) -> JSON {
        guard var members = action.object else { return ["type": .string(action.text)] }
        let type = members["type"].map { $0.string ?? $0.text } ?? ""
        members["type"] = nil
        var result = JSON.Object([("type", .string(type))])
        if members.count == 1, let payload = members["payload"] {
            result["payload"] = payload
        } else if !members.isEmpty {
            result["payload"] = .object(members)
        }
        return .object(result)
    }
}
