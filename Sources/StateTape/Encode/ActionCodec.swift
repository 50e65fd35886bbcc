import TapeFormat

/// Writes and reads actions of one type. Like ``StateCodec``, it is made where the conformances are known.
struct ActionCodec<Action> {
    /// Whether to inspect each action's type: some actions may have to be encoded on the dispatching thread.
    let isLookedAt: (_ layouts: Layouts) -> Bool
    /// Whether an action can be decoded only on one actor.
    let isIsolated: (_ layouts: Layouts) -> Bool
    /// Captures an action until it is encoded; on the dispatching thread. There, an action behind a protocol can be
    /// cast even if its conformance is isolated to an actor.
    ///
    /// With `layouts`, the codec inspects the action's type and immediately encodes an action that can't wait; see
    /// ``AtOnce``.
    let capture: (Action, _ layouts: Layouts?) -> any CapturedAction
    /// Reads a pushed action. The action is made only when `ActionMaker` is called, where the store lives.
    let read: (_ action: JSON) throws(Pushed.Failure) -> ActionMaker<Action>
}

/// An action that waits to be written.
protocol CapturedAction {
    /// The type for the tape if the action can't be encoded.
    var name: String { get }
    /// The type and payload.
    func record(_ encoder: DirectEncoder) throws -> JSON
    /// Appends the record's text.
    func write(to actionEncoder: ActionEncoder) throws
}

extension CapturedAction {
    /// The text of a record without a payload.
    var nameAlone: [UInt8] { JSON.object(JSON.Object([("type", .string(name))])).bytes }

    func write(to actionEncoder: ActionEncoder) throws {
        actionEncoder.buffer.append(try record(actionEncoder.encoder).bytes)
    }
}

/// An action whose record is already encoded.
struct KeptAction: CapturedAction {
    let text: [UInt8]

    var name: String { (try? JSON(parsing: text))?["type"]?.string ?? "" }

    func record(_ encoder: DirectEncoder) throws -> JSON { try JSON(parsing: text) }

    func write(to actionEncoder: ActionEncoder) throws { actionEncoder.buffer.append(text) }
}

/// An action that was read from the tape.
struct ActionMaker<Action> {
    /// Nil if the value is not an action of this store, which only the store's isolation can tell.
    let make: () -> Action?
    /// Makes the record that the tape will have when the action goes through the store.
    let record: () -> JSON
    let ignored: [String]

    init(
        _ outcome: Overlay.Outcome<some Encodable>, isQualified: Bool, _ redactor: Redactor,
        make: @escaping () -> Action?
    ) {
        self.make = make
        record = {
            let action = CodableAction(value: outcome.value, isQualified: isQualified)
            // An action that can't be encoded is written with its name alone.
            return (try? action.record(DirectEncoder(redactor))) ?? ["type": .string(action.name)]
        }
        ignored = outcome.adjustments.ignored
    }
}

extension ActionCodec where Action: Codable {
    /// - Parameter redactor: Redacts an action that is encoded on the dispatching thread.
    init(_ redactor: Redactor = .standard) {
        isLookedAt = { $0.isAtOnce(Action.self) }
        isIsolated = { $0.isIsolated(Action.self) }
        capture = { CodableAction(value: $0, isQualified: false).captured($1, redactor) }
        read = { (json) throws(Pushed.Failure) in
            let outcome = try ActionReader.read(Action.self, from: json, isQualified: false)
            return ActionMaker(outcome, isQualified: false, redactor) { outcome.value }
        }
    }
}

extension ActionCodec {
    /// For actions behind a protocol.
    ///
    /// - Parameters:
    ///   - types: The types that can be played back.
    ///   - redactor: Redacts an action that is encoded on the dispatching thread.
    init(decoding types: [any Codable.Type], _ redactor: Redactor = .standard) {
        let named = Dictionary(types.map { (ActionName.of($0), $0) }, uniquingKeysWith: { $1 })
        // Older tapes have generic types without the outer types of their arguments.
        let short = Dictionary(grouping: named.keys) { named[$0].map { String(describing: $0) } ?? $0 }
            .compactMapValues { $0.count == 1 ? $0.first : nil }
        isLookedAt = { !$0.isValue(Action.self) }
        isIsolated = { layouts in types.contains { layouts.isIsolated($0) } }
        capture = { action, layouts in
            guard let encodable = action as? any Encodable else {
                return ReflectedAction(value: action, isQualified: true).captured(layouts, redactor)
            }
            return Self.captured(encodable, layouts, redactor)
        }
        read = { (json) throws(Pushed.Failure) in
            var json = json
            var name = json["type"]?.string.map(ActionName.first(of:)) ?? ""
            if named[name] == nil, name.contains("<"), let long = short[name], var object = json.object {
                let path = (json["type"]?.string).map(ActionName.split) ?? []
                object["type"] = .string(ActionName.join([long] + path.dropFirst()))
                (json, name) = (.object(object), long)
            }
            guard let type = named[name] else {
                if types.isEmpty { throw ActionReader.failure(Self.noTypes) }
                throw ActionReader.failure(
                    "actions of type “\(name)” can't be dispatched: “decoding:” doesn't name the type")
            }
            return try Self.read(type, json, redactor)
        }
    }

    private static var noTypes: String {
        "no type of action can be dispatched: pass the types to track(…) as “decoding:”"
    }

    private static func captured<Value: Encodable>(
        _ value: Value, _ layouts: Layouts?, _ redactor: Redactor
    ) -> any CapturedAction {
        CodableAction(value: value, isQualified: true).captured(layouts, redactor)
    }

    private static func read<Value: Codable>(
        _ type: Value.Type, _ json: JSON, _ redactor: Redactor
    ) throws(Pushed.Failure) -> ActionMaker<Action> {
        let outcome = try ActionReader.read(type, from: json, isQualified: true)
        return ActionMaker(outcome, isQualified: true, redactor) { outcome.value as? Action }
    }
}

private struct CodableAction<Value: Encodable>: CapturedAction {
    let value: Value
    /// Whether the type's name precedes an enum's case, to distinguish it from other types' actions.
    let isQualified: Bool

    var name: String { ActionName.uncoded(value) }

    func record(_ encoder: DirectEncoder) throws -> JSON {
        ActionName.record(of: value, tree: try encoder.tree(of: value), isQualified: isQualified, encoder.redactor)
    }

    func write(to actionEncoder: ActionEncoder) throws { try actionEncoder.write(value, isQualified: isQualified) }
}

extension CodableAction {
    /// The action itself if encoding can wait, otherwise its encoded form.
    func captured(_ layouts: Layouts?, _ redactor: Redactor) -> any CapturedAction {
        guard let layouts, layouts.isAtOnce(Value.self) else { return self }
        return EncodedAction(name: name, json: Result { try record(DirectEncoder(redactor)) })
    }
}

/// An action that was encoded on the dispatching thread.
private struct EncodedAction: CapturedAction {
    let name: String
    let json: Result<JSON, any Error>

    func record(_ encoder: DirectEncoder) throws -> JSON { try json.get() }
}

/// An action without Codable, recorded by reflection.
private struct ReflectedAction: CapturedAction {
    let value: Any
    let isQualified: Bool

    var name: String { ActionName.uncoded(value) }

    func record(_ encoder: DirectEncoder) throws -> JSON {
        let tree = try encoder.tree(of: Reflected(value, encoder.redactor))
        return ActionName.record(of: value, tree: tree, isQualified: isQualified, encoder.redactor)
    }

    func captured(_ layouts: Layouts?, _ redactor: Redactor) -> any CapturedAction {
        guard let layouts, !layouts.isValue(Swift.type(of: value)) else { return self }
        return EncodedAction(name: name, json: Result { try record(DirectEncoder(redactor)) })
    }
}

extension ActionCodec {
    /// For actions without Codable: they are recorded by reflection and can't be read back.
    static func reflecting(_ redactor: Redactor = .standard) -> ActionCodec {
        ActionCodec(
            isLookedAt: { !$0.isValue(Action.self) },
            isIsolated: { _ in false },
            capture: { action, layouts in
                // If actions have several types, the name identifies the type. It may be Codable although the protocol
                // is not.
                let isQualified = Swift.type(of: action as Any) != Action.self
                if isQualified, let encodable = action as? any Encodable {
                    return captured(encodable, layouts, redactor)
                }
                return ReflectedAction(value: action, isQualified: isQualified).captured(layouts, redactor)
            },
            read: { (_) throws(Pushed.Failure) in
                // Neither a value of one type nor a class: a protocol.
                let isProtocol = Metadata(Action.self).kind == nil && !(Action.self is AnyClass)
                throw ActionReader.failure(
                    isProtocol
                        ? noTypes
                        : "actions of this store are not Codable: they are recorded by reflection and can't be played back"
                )
            })
    }
}
