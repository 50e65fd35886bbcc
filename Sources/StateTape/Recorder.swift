import Foundation

/// Records what an app's stores do and sends it to a StateTape server; one per process.
///
/// Recording never blocks or stops the app: encoding and sending happen on the recorder's own thread, and where there is
/// no address, or the build is a release build, the recorder is off and costs one branch.
public final class Recorder: Sendable {
    /// Makes a recorder and begins to connect, if there is an address.
    ///
    /// - Parameters:
    ///   - url: Where the server is, as `http://host:port/` or `ws://host:port/`; without it `STATETAPE_URL` and the launch
    ///     argument `-statetape-url` are asked. A fragment `#token=…` gives the token.
    ///   - token: The server's token; without it `STATETAPE_TOKEN`, then the address's fragment.
    ///   - allowRelease: Records in release builds too.
    ///   - log: Takes the recorder's messages for the developer, one sentence each, on any thread.
    public init(
        url: String? = nil, token: String? = nil, allowRelease: Bool = false,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
    }

    /// Whether anything is recorded.
    public var isOn: Bool { false }

    /// Attaches a store whose actions are one `Codable` type, most often an enum.
    ///
    /// - Parameters:
    ///   - initial: The state that the app begins with by itself.
    ///   - action: The type of the store's actions.
    ///   - name: The store's name on the tape; a second one of the same name becomes `name#2`.
    public func track<State: Codable, Action: Codable>(
        _ initial: State, _ action: Action.Type, name: String = "main"
    ) -> Track<State, Action> {
        Track(initial)
    }

    /// Attaches a store whose actions are many types behind a protocol.
    ///
    /// - Parameters:
    ///   - initial: The state that the app begins with by itself.
    ///   - action: The protocol, as `(any Action).self`.
    ///   - decoding: The types of action that can be played back into the app.
    ///   - name: The store's name on the tape; a second one of the same name becomes `name#2`.
    public func track<State: Codable, Action>(
        _ initial: State, _ action: Action.Type, decoding: [any Codable.Type], name: String = "main"
    ) -> Track<State, Action> {
        Track(initial)
    }

    /// Marks this moment on the tape.
    public func note(_ text: String) {}

    /// Ends the session and waits until the server has everything, at most `timeout`; for the end of a process.
    ///
    /// - Returns: Whether the server has acknowledged the whole tape.
    @discardableResult
    public func finish(timeout: Duration = .seconds(2)) -> Bool { true }
}
