import Foundation
package import TapeFormat

/// Converts a Redux DevTools export to a tape, with the states in the file. It runs no actions.
///
/// The file contains a lifted state, `{"actionsById":…,"stagedActionIds":…,"computedStates":…}`. The browser extension
/// saves `{"payload":"[…]","preloadedState":"…"}`; its payload is JSON text of the actions or of a lifted state.
///
/// What JSON can't hold, and what no tape can, is said in notes at the end.
package struct ReduxFile {
    /// A part of the file that is JSON text of its own.
    private struct Part {
        let json: JSON
        var values: JsanValues
        /// Where the part is in the text.
        var path: [String] = []

        init(_ json: JSON) {
            self.json = json
            values = JsanValues(json)
        }

        /// The value of a place below; nil if there is none, or if it is undefined.
        mutating func value(_ json: JSON?, _ tokens: String...) throws -> JSON? {
            try json.flatMap { try values.value($0, at: path + tokens) }
        }
    }

    package let header: Header
    package private(set) var lines: [EventLine] = []
    /// The start of the session, in ms since 1970.
    private let started: Double
    private var state: JSON?
    /// The `at` of the last event. The time of an action may be before that of the one ahead: people reorder actions.
    private var at = 0.0
    private var halves: HalfCharacters
    /// Where ``halves`` begin.
    private var place = "the file"

    /// Returns nil if the JSON isn't a Redux DevTools export.
    ///
    /// - Throws: `FormatError` if a text in the file isn't JSON; ``TooLarge`` if an event is too long for a tape, or the
    ///   references in the file lead to too much.
    package init?(_ json: JSON, name: String) throws {
        try self.init(json, name: name, halves: HalfCharacters())
    }

    /// - Parameter halves: The half characters that were replaced in the file.
    init?(_ json: JSON, name: String, halves: HalfCharacters) throws {
        self.halves = halves
        var whole = Part(json)
        let payload = json["payload"]
        let lifted = payload?.string == nil ? payload ?? json : nil
        var inner: Part?
        var texts: [(String, HalfCharacters)] = []
        if let text = payload?.string { inner = Part(try Self.content(text, of: "payload", &texts)) }
        let content = inner?.json ?? lifted ?? .null
        guard payload != nil && content.array != nil || content["actionsById"]?.object != nil else { return nil }
        let times = content["actionsById"]?.object?.compactMap { Self.time($0.value) } ?? []
        started = times.min() ?? (Date().timeIntervalSince1970 * 1_000).rounded()
        header = Header(
            session: name, app: .init(id: "redux-devtools", name: "Redux DevTools"),
            started: JavaScriptDate.text(Int(started)) ?? "")
        var preloaded: JSON?
        var values: [JsanValues] = []
        if let text = json["preloadedState"]?.string {
            var part = Part(try Self.content(text, of: "preloadedState", &texts))
            preloaded = try part.value(part.json)
            values.append(part.values)
        } else {
            preloaded = try whole.value(json["preloadedState"], "preloadedState")
        }
        for (place, more) in texts { add(more, in: place) }
        var part = inner ?? whole
        if inner == nil, payload != nil { part.path = ["payload"] }
        if let actions = content.array {
            if let preloaded { try attach(preloaded, at: nil) }
            for (index, action) in actions.enumerated() {
                if let action = try part.value(action, "\(index)") {
                    try add(action, at: nil, state: nil, error: nil)
                }
            }
        } else {
            try read(content, preloaded, &part)
        }
        try addNotes([part.values] + values + [whole.values])
    }

    /// Parses JSON inside a JSON string, as the extension writes it.
    private static func content(
        _ text: String, of place: String, _ texts: inout [(String, HalfCharacters)]
    ) throws(FormatError) -> JSON {
        var bytes = Array(text.utf8)
        texts.append((place, HalfCharacters.replace(in: &bytes)))
        return try JSON(parsing: bytes)
    }

    private mutating func add(_ more: HalfCharacters, in place: String) {
        if halves.count == 0 { self.place = "the member “\(place)”" }
        halves.add(more)
    }

    /// The timestamp of an action; nil if it is outside of JavaScript's `Date` range.
    private static func time(_ entry: JSON) -> Double? {
        entry["timestamp"]?.double.flatMap { 0...8.64e15 ~= $0 ? $0 : nil }
    }

    private mutating func read(_ lifted: JSON, _ preloaded: JSON?, _ part: inout Part) throws {
        let ids = lifted["stagedActionIds"]?.array ?? []
        let entries = lifted["actionsById"]?.object ?? JSON.Object()
        let find = entries.finder()
        let states = lifted["computedStates"]?.array ?? []
        for (position, id) in ids.enumerated() {
            let id = id.string ?? id.number?.text ?? ""
            let entry = find(id).map { entries[$0].value }
            let computed =
                position < states.count
                ? try part.value(states[position], "computedStates", "\(position)") : nil
            // jsan's code for an error has the text that the resolved value lacks.
            let code = position < states.count ? states[position]["error"]?[JsanValues.key]?.string : nil
            let message = code.flatMap(Self.thrown) ?? Self.message(computed?["error"])
            // Our own export says so of a state that was not recorded.
            let error = message == ReduxExport.unrecorded ? nil : message
            let state = computed?["state"]
            let time = entry.flatMap(Self.time)
            if position == 0 {
                // The first action, @@INIT, only carries the initial state.
                let committed = try part.value(lifted["committedState"], "committedState")
                if let first = state ?? committed ?? preloaded { try attach(first, at: time) }
                if let error {
                    try append(.note, at: time, [("text", .string(error)), ("level", "error")])
                }
            } else if let action = try part.value(entry?["action"], "actionsById", id, "action") {
                try add(action, at: time, state: state, error: error)
            }
        }
    }

    /// The text of an error that jsan has encoded.
    private static func thrown(_ code: String) -> String? { code.hasPrefix("e") ? String(code.dropFirst()) : nil }

    /// The text of a reducer's error: usually one already, but any value may be thrown.
    private static func message(_ error: JSON?) -> String? {
        guard let error, error != .null, error != false else { return nil }
        return error.string ?? error["message"]?.string ?? error.text
    }

    private mutating func attach(_ state: JSON, at time: Double?) throws {
        self.state = state
        try append(.`init`, at: time, [("state", state)])
    }

    private mutating func add(_ action: JSON, at time: Double?, state: JSON?, error: String?) throws {
        let outcome = outcome(state)
        if let cause = action["payload"]?["cause"], action["type"]?.string == ReduxExport.replaced, state != nil {
            try append(.replace, at: time, [outcome, ("cause", cause)])
        } else {
            let failure = error.map { [("error", JSON.string($0))] } ?? []
            try append(.action, at: time, [("action", Self.tapeAction(action)), outcome] + failure)
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
        at = max(at, (time ?? started) - started)
        let line = EventLine(seq: lines.count, at: at, kind: kind, members: members)
        guard line.bytes.count <= Limits.line else {
            throw TooLarge("Event \(line.seq) would be longer than \(Limits.line) bytes.")
        }
        lines.append(line)
    }

    private mutating func addNotes(_ values: [JsanValues]) throws {
        if let first = halves.first {
            let count = halves.count == 1 ? "1 half character was" : "\(halves.count) half characters were"
            try addWarning("\(count) replaced by U+FFFD, the first at byte \(first) of \(place) in UTF-8.")
        }
        if let lost = values.lazy.compactMap(\.lost).first {
            try addWarning(
                """
                JSON has no place for some values, such as the one at \(lost): sets, maps, errors and regular expressions \
                are {} here, NaN and infinities null, functions and symbols left out.
                """)
        }
        if let kept = values.lazy.compactMap(\.kept).first {
            try addWarning(
                """
                A reference that is circular, leads nowhere or too deep stays as it is in the file, such as the one at \
                \(kept).
                """)
        }
    }

    private mutating func addWarning(_ text: String) throws {
        try append(.note, at: nil, [("text", .string(text)), ("level", "warning")])
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
