import TapeFormat

/// Decodes an action from its type and payload.
enum ActionReader {
    /// - Throws: `Pushed.Failure` with code `decode`. Its path leads into the pushed action.
    static func read<Action: Decodable>(
        _ type: Action.Type, from json: JSON, isQualified: Bool
    ) throws(Pushed.Failure) -> Overlay.Outcome<Action> {
        guard let text = json["type"]?.string else { throw failure("an action needs a “type”", "/type") }
        if let bytes = LeftOut.bytes(in: json) {
            throw failure("the tape lacks the payload: it was too long for a line (\(bytes) bytes)", "/payload")
        }
        var path = ActionName.split(text)
        let payload = json["payload"]
        let name = ActionName.of(type)
        if path.first == name {
            if !isQualified || path.count == 1 { return try decode(type, payload ?? .object(JSON.Object()), []) }
            path.removeFirst()
        } else if isQualified {
            throw failure("“\(text)” is not “\(name)”", "/type")
        }
        do {
            return try decode(type, wrap(path, payload ?? .object(JSON.Object())), prefix(path))
        } catch {
            // An enum with raw values, or an action behind a protocol that has its own coding.
            if path.count == 1, payload == nil, let value = raw(type, path[0]) { return value }
            if isQualified, let payload, let value = try? decode(type, payload, []) { return value }
            throw explain(error, text, path)
        }
    }

    static func failure(_ message: String, _ path: String? = nil) -> Pushed.Failure {
        Pushed.Failure(code: "decode", message: message, path: path)
    }

    private static func decode<Action: Decodable>(
        _ type: Action.Type, _ json: JSON, _ prefix: [String]
    ) throws(Pushed.Failure) -> Overlay.Outcome<Action> {
        do {
            var outcome = try Overlay.decode(type, from: json, over: nil)
            outcome.adjustments.ignored = outcome.adjustments.ignored.map { payloadPath($0, prefix) }
            return outcome
        } catch {
            throw failure(error.message, error.path.map { payloadPath($0, prefix) })
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

    private static func raw<Action: Decodable>(_ type: Action.Type, _ text: String) -> Overlay.Outcome<Action>? {
        let number = JSON.Number(text).map(JSON.number)
        return [.string(text), number].compactMap { $0 }.lazy.compactMap { try? decode(type, $0, []) }.first
    }

    /// Turns a path in the wrapped JSON into a path in the pushed action.
    private static func payloadPath(_ path: String, _ prefix: [String]) -> String {
        let tokens = (try? Pointer(parsing: path))?.tokens ?? []
        guard tokens.starts(with: prefix) else { return "/type" }
        return Pointer(["payload"] + tokens.dropFirst(prefix.count)).description
    }

    private static func explain(_ error: Pushed.Failure, _ text: String, _ path: [String]) -> Pushed.Failure {
        guard error.path == "/type" else { return error }
        return failure("the app has no action “\(text)”", "/type")
    }
}
