package import TapeFormat

/// Writes and reads actions of one type. Like ``StateCodec``, it is made where the conformances are known.
package struct ActionCodec<Action> {
    /// Whether to inspect each action's type: some actions may have to be encoded on the dispatching thread.
    package let isLookedAt: (_ layouts: Layouts) -> Bool
    /// Whether an action can be decoded only on one actor.
    package let isIsolated: (_ layouts: Layouts) -> Bool
    /// Captures an action until it is encoded; on the dispatching thread. There, an action behind a protocol can be
    /// cast even if its conformance is isolated to an actor.
    ///
    /// With `layouts`, the codec inspects the action's type and immediately encodes an action that can't wait; see
    /// ``AtOnce``.
    package let capture: (Action, _ layouts: Layouts?) -> any CapturedAction
    /// Reads a pushed action. The action is made only when `ActionMaker` is called, where the store lives.
    package let read: (_ action: JSON) throws(Pushed.Failure) -> ActionMaker<Action>
    /// The types of actions behind a protocol that are known, with their names on the tape; nil if the actions have one
    /// type.
    package let named: [(name: String, type: Any.Type)]?
}

/// An action that waits to be written.
package protocol CapturedAction {
    /// The type for the tape if the action can't be encoded.
    var name: String { get }
    /// The length of the record's text; nil if that isn't written yet.
    // Not a cast: one that fails takes the runtime a tenth of the recording.
    var length: Int? { get }
    /// The type and payload.
    func record(_ encoder: DirectEncoder) throws -> JSON
    /// Appends the record's text.
    func write(to actionEncoder: ActionEncoder) throws
}

extension CapturedAction {
    package var length: Int? { nil }

    /// The text of a record without a payload.
    package var nameAlone: [UInt8] { JSON.object(JSON.Object([("type", .string(name))])).bytes }

    package func write(to actionEncoder: ActionEncoder) throws {
        actionEncoder.buffer.append(try record(actionEncoder.encoder).bytes)
    }
}

/// An action whose record is already encoded.
package struct KeptAction: CapturedAction {
    package let text: [UInt8]

    package init(text: [UInt8]) {
        self.text = text
    }

    package var length: Int? { text.count }
    package var name: String { (try? JSON(parsing: text))?["type"]?.string ?? "" }

    package func record(_ encoder: DirectEncoder) throws -> JSON { try JSON(parsing: text) }

    package func write(to actionEncoder: ActionEncoder) throws { actionEncoder.buffer.append(text) }
}

/// An action that was read from the tape.
package struct ActionMaker<Action> {
    /// Nil if the value is not an action of this store, which only the store's isolation can tell.
    package let make: () -> Action?
    /// Makes the record that the tape will have when the action goes through the store.
    package let record: () -> JSON
    package let ignored: [String]

    init(
        _ outcome: Overlay.Outcome<some Encodable>, _ names: ActionNames?, _ redactor: Redactor,
        make: @escaping () -> Action?
    ) {
        self.make = make
        record = { CodableAction(value: outcome.value, names: names).recordOrName(redactor) }
        ignored = outcome.adjustments.ignored
    }
}

extension ActionCodec where Action: Codable {
    /// - Parameter redactor: Redacts an action that is encoded on the dispatching thread.
    package init(_ redactor: Redactor = .standard) {
        isLookedAt = { $0.isAtOnce(Action.self) }
        isIsolated = { $0.isIsolated(Action.self) }
        capture = { CodableAction(value: $0, names: nil).captured($1, redactor) }
        read = { (json) throws(Pushed.Failure) in
            let outcome = try ActionReader.read(Action.self, from: json, nil) {
                CodableAction(value: $0, names: nil).recordOrName(redactor)
            }
            return ActionMaker(outcome, nil, redactor) { outcome.value }
        }
        named = nil
    }
}

extension ActionCodec {
    /// For actions behind a protocol.
    ///
    /// - Parameters:
    ///   - types: The types that can be played back.
    ///   - redactor: Redacts an action that is encoded on the dispatching thread.
    package init(decoding types: [any Codable.Type], _ redactor: Redactor = .standard) {
        let names = ActionNames(decoding: types)
        isLookedAt = { !$0.isValue(Action.self) }
        isIsolated = { layouts in types.contains { layouts.isIsolated($0) } }
        capture = { action, layouts in
            guard let encodable = action as? any Encodable else {
                return ReflectedAction(value: action, names: names).captured(layouts, redactor)
            }
            return Self.captured(encodable, names, layouts, redactor)
        }
        read = { (json) throws(Pushed.Failure) in
            guard let path = json["type"]?.string.map(ActionName.split) else {
                throw ActionReader.failure("an action needs a “type”", "/type")
            }
            let (type, name) = try names.readable(path.first ?? "")
            var object = json.object ?? JSON.Object()
            object["type"] = .string(ActionName.join([name] + path.dropFirst()))
            return try Self.read(type, .object(object), names, redactor)
        }
        named = names.all
    }

    private static func captured<Value: Encodable>(
        _ value: Value, _ names: ActionNames, _ layouts: Layouts?, _ redactor: Redactor
    ) -> any CapturedAction {
        CodableAction(value: value, names: names).captured(layouts, redactor)
    }

    private static func read<Value: Codable>(
        _ type: Value.Type, _ json: JSON, _ names: ActionNames, _ redactor: Redactor
    ) throws(Pushed.Failure) -> ActionMaker<Action> {
        let outcome = try ActionReader.read(type, from: json, names) {
            CodableAction(value: $0, names: names).recordOrName(redactor)
        }
        return ActionMaker(outcome, names, redactor) { outcome.value as? Action }
    }
}

private struct CodableAction<Value: Encodable>: CapturedAction {
    let value: Value
    /// If given, the type's name precedes an enum's case, to distinguish it from other types' actions.
    let names: ActionNames?

    var name: String { ActionName.uncoded(value, names) }

    func record(_ encoder: DirectEncoder) throws -> JSON {
        ActionName.record(of: value, tree: try encoder.tree(of: value), names, encoder.redactor).json
    }

    /// The record; with the name alone if the action can't be encoded.
    func recordOrName(_ redactor: Redactor) -> JSON {
        (try? record(DirectEncoder(redactor))) ?? ["type": .string(name)]
    }

    func write(to actionEncoder: ActionEncoder) throws { try actionEncoder.write(value, names) }
}

extension CodableAction {
    /// The action itself if encoding can wait, otherwise its encoded form.
    func captured(_ layouts: Layouts?, _ redactor: Redactor) -> any CapturedAction {
        guard let layouts, layouts.isAtOnce(Value.self) else { return self }
        return EncodedAction(self, redactor)
    }
}

/// An action that is too large for the stack of the thread that dispatched it. It is written with its name alone.
package struct OversizedAction: CapturedAction {
    package let name: String
    private let failure: TooLarge

    package init(_ type: Any.Type, bytes: Int) {
        name = ActionName.of(type)
        failure = TooLarge(bytes: bytes, free: ThreadStack.free)
    }

    package func record(_ encoder: DirectEncoder) throws -> JSON { throw failure }
}

/// An action that was encoded on the dispatching thread.
private struct EncodedAction: CapturedAction {
    let name: String
    private let json: Result<JSON, any Error>
    private let unencodable: Set<Unencodable>

    init(_ action: some CapturedAction, _ redactor: Redactor) {
        let encoder = DirectEncoder(redactor)
        name = action.name
        json = Result { try action.record(encoder) }
        unencodable = encoder.takeUnencodable()
    }

    func record(_ encoder: DirectEncoder) throws -> JSON {
        encoder.state.pointee.unencodable.formUnion(unencodable)
        return try json.get()
    }
}

/// An action without Codable, recorded by reflection.
private struct ReflectedAction: CapturedAction {
    let value: Any
    let names: ActionNames?

    var name: String { ActionName.uncoded(value, names) }

    func record(_ encoder: DirectEncoder) throws -> JSON {
        let tree = try encoder.tree(of: Reflected(value, encoder.redactor))
        return ActionName.record(of: value, tree: tree, names, encoder.redactor).json
    }

    func captured(_ layouts: Layouts?, _ redactor: Redactor) -> any CapturedAction {
        guard let layouts, !layouts.isValue(Swift.type(of: value)) else { return self }
        return EncodedAction(self, redactor)
    }
}

extension ActionCodec {
    /// For actions without Codable: they are recorded by reflection and can't be read back.
    package static func reflecting(_ redactor: Redactor = .standard) -> ActionCodec {
        let names = ActionNames(decoding: [])
        // Neither a value of one type nor a class: a protocol.
        let isProtocol = Metadata(Action.self).kind == nil && !(Action.self is AnyClass)
        return ActionCodec(
            isLookedAt: { !$0.isValue(Action.self) },
            isIsolated: { _ in false },
            capture: { action, layouts in
                // If actions have several types, the name identifies the type. It may be Codable although the protocol
                // is not.
                let isQualified = Swift.type(of: action as Any) != Action.self
                if isQualified, let encodable = action as? any Encodable {
                    return captured(encodable, names, layouts, redactor)
                }
                return ReflectedAction(value: action, names: isQualified ? names : nil).captured(layouts, redactor)
            },
            read: { (_) throws(Pushed.Failure) in
                throw ActionReader.failure(
                    isProtocol
                        ? ActionNames.noTypes
                        : "actions of this store are not Codable: they are recorded by reflection and can't be played back"
                )
            }, named: isProtocol ? [] : nil)
    }
}
