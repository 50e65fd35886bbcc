import StateCapture
import TapeFormat

/// A part of a store that is recorded by reflection, because it isn't `Codable`.
public enum ReflectedPart: Sendable {
    /// The states: you can view them, not apply them.
    case state
    /// The actions: you can view them, not dispatch them.
    case actions
}

extension Recorder {
    /// Attaches a store whose state or actions are not `Codable`.
    ///
    /// ```swift
    /// let track = tape.track(reflecting: .state, Form(), FormAction.self)
    /// ```
    ///
    /// Reflection is slow. A state that holds class instances, as most without Codable do, is read on the dispatching
    /// thread.
    ///
    /// - Parameters:
    ///   - parts: What is recorded by reflection. The other part must be `Codable`; otherwise the recorder says so to
    ///     `log`, and records it by reflection, too.
    ///   - initial: The app's own initial state.
    ///   - action: The type of the store's actions, or a protocol, as `(any Action).self`.
    ///   - decoding: The action types behind a protocol that the server can dispatch in the app.
    ///   - name: The store's name on the tape; a second store of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    public func track<State, Action>(
        reflecting parts: ReflectedPart..., initial: State, _ action: Action.Type, decoding: [any Codable.Type] = [],
        name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        let states = parts.contains(.state) ? nil : StateCodec<State>.ofCodable
        let actions =
            !decoding.isEmpty
            ? ActionCodec(decoding: decoding, redactor)
            : parts.contains(.actions) ? nil : ActionCodec<Action>.ofCodable(redactor)
        if states == nil, !parts.contains(.state) { tellReflected("state", State.self, "state") }
        if actions == nil, !parts.contains(.actions) { tellReflected("actions", Action.self, "actions") }
        return track(initial, name, capture, states ?? .reflecting, actions ?? .reflecting(redactor))
    }

    private func tellReflected(_ noun: String, _ type: Any.Type, _ part: String) {
        log(
            "\(type) is not Codable, so the \(noun) of its store can only be viewed: pass `.\(part)` to track(reflecting:), too."
        )
    }
}

// A type that loses its conformance by accident must not become one that can only be viewed.
extension Recorder {
    @available(
        *, unavailable,
        message:
            "The state must be Codable, so that it can be applied to the app. Make it Codable, or record it to view only: track(reflecting: .state, initial: …)"
    )
    public func track<State, Action: Codable>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        fatalError("unavailable")
    }

    @available(
        *, unavailable,
        message:
            "The actions must be Codable, so that they can be dispatched in the app. Make them Codable, or record them to view only: track(reflecting: .actions, initial: …). For a protocol, pass its types: decoding: [One.self, Other.self]"
    )
    public func track<State: Codable, Action>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        fatalError("unavailable")
    }

    @available(
        *, unavailable,
        message:
            "State and actions must be Codable, so that the app can take them. Make them Codable, or record them to view only: track(reflecting: .state, .actions, initial: …)"
    )
    public func track<State, Action>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        fatalError("unavailable")
    }
}

extension StateCodec {
    /// Nil if the type isn't Codable.
    static var ofCodable: StateCodec? {
        func open<Known: Codable>(_: Known.Type) -> StateCodec? { StateCodec<Known>() as? StateCodec }
        return (State.self as? any Codable.Type).flatMap { open($0) }
    }
}

extension ActionCodec {
    /// Nil if the type isn't Codable.
    static func ofCodable(_ redactor: Redactor) -> ActionCodec? {
        func open<Known: Codable>(_: Known.Type) -> ActionCodec? { ActionCodec<Known>(redactor) as? ActionCodec }
        return (Action.self as? any Codable.Type).flatMap { open($0) }
    }
}
