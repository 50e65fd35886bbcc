import TapeFormat

/// Decodes an action from its type and payload.
enum ActionReader {
    /// JSON that an action may have been encoded as.
    private struct Form {
        let json: JSON
        /// Where the payload is in it.
        let prefix: [String]
    }

    /// - Parameters:
    ///   - names: The names of the store's types; nil if it has one type.
    ///   - record: The record of an action.
    /// - Throws: `Pushed.Failure` with code `decode`. Its path leads into the pushed action.
    static func read<Action: Decodable>(
        _ type: Action.Type, from json: JSON, _ names: ActionNames?, record: (Action) -> JSON
    ) throws(Pushed.Failure) -> Overlay.Outcome<Action> {
        guard let text = json["type"]?.string else { throw failure("an action needs a “type”", "/type") }
        if let bytes = LeftOut.bytes(in: json) {
            throw failure("the tape lacks the payload: it was too long for a line (\(bytes) bytes)", "/payload")
        }
        let path = ActionName.split(text)
        let forms = forms(path, json["payload"], names?.of(type) ?? ActionName.of(type), isQualified: names != nil)
        guard let first = forms.first else { throw failure("“\(text)” is not “\(ActionName.of(type))”", "/type") }
        if forms.count == 1 { return try explained(text) { () throws(Pushed.Failure) in try decode(type, first) } }
        // A type with its own coding may read another form, too, and be another action then.
        var (near, found): (Overlay.Outcome<Action>?, Overlay.Outcome<Action>?)
        for form in forms {
            guard let outcome = try? decode(type, form) else { continue }
            let own = record(outcome.value)
            if own["type"] == json["type"] {
                if own["payload"] == json["payload"] { return outcome }
                // A record leaves out an empty object; a person may write it.
                if (own["payload"] ?? [:]) == (json["payload"] ?? [:]) { near = near ?? outcome }
            }
            found = found ?? outcome
        }
        if let found = near ?? found { return found }
        return try explained(text) { () throws(Pushed.Failure) in try decode(type, first) }
    }

    /// The likeliest form first.
    private static func forms(_ path: [String], _ payload: JSON?, _ name: String, isQualified: Bool) -> [Form] {
        let isNamed = path.first == name
        guard isNamed || !isQualified else { return [] }
        // All of the JSON: of a struct, or of an enum with its own coding.
        let own = Form(json: payload ?? [:], prefix: [])
        let path = isQualified ? Array(path.dropFirst()) : path
        guard !path.isEmpty else { return [own] }
        var forms = [Form(json: wrap(path, payload ?? [:]), prefix: prefix(path))]
        if path.count == 1, payload == nil {
            // An enum with raw values.
            let raw = [.string(path[0]), JSON.Number(path[0]).map(JSON.number)].compactMap { $0 }
            forms += raw.map { Form(json: $0, prefix: []) }
        }
        if isNamed { forms.insert(own, at: isQualified ? forms.endIndex : 0) }
        return forms
    }

    static func failure(_ message: String, _ path: String? = nil) -> Pushed.Failure {
        Pushed.Failure(code: .decode, message: message, path: path)
    }

    private static func decode<Action: Decodable>(
        _ type: Action.Type, _ form: Form
    ) throws(Pushed.Failure) -> Overlay.Outcome<Action> {
        do {
            var outcome = try Overlay.decode(type, from: form.json, over: nil)
            outcome.adjustments.ignored = outcome.adjustments.ignored.map { payloadPath($0, form.prefix) }
            return outcome
        } catch {
            throw failure(error.message, error.path.map { payloadPath($0, form.prefix) })
        }
    }

    /// `{"todos":{"_0":{"add":payload}}}` for `todos/add`.
    private static func wrap(_ path: [String], _ payload: JSON) -> JSON {
        var json = payload
        for (index, name) in path.enumerated().reversed() {
            json = .object(JSON.Object([(name, json)]))
            if index > 0 { json = .object(JSON.Object([("_0", json)])) }
        }
        return json
    }

    private static func prefix(_ path: [String]) -> [String] {
        Array(path.map { [$0] }.joined(separator: ["_0"]))
    }

    /// Turns a path in the wrapped JSON into a path in the pushed action.
    private static func payloadPath(_ path: String, _ prefix: [String]) -> String {
        let tokens = (try? Pointer(parsing: path))?.tokens ?? []
        guard tokens.starts(with: prefix) else { return "/type" }
        return Pointer(["payload"] + tokens.dropFirst(prefix.count)).description
    }

    private static func explained<Output>(
        _ text: String, _ read: () throws(Pushed.Failure) -> Output
    ) throws(Pushed.Failure) -> Output {
        do {
            return try read()
        } catch {
            guard error.path == "/type" else { throw error }
            throw failure("the app has no action “\(text)”", "/type")
        }
    }
}
