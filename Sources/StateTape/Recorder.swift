import Dispatch
public import Foundation
import TapeFormat

/// Records what an app's stores do and sends it to a StateTape server; one per process.
///
/// Recording never stops the app: comparing, encoding and sending happen on the recorder's own thread, save that a state
/// with class instances inside is encoded where it is dispatched. Where there is no address, or the build is a release
/// build, the recorder is off and costs one branch.
public final class Recorder: Sendable {
    /// The session; nil while the recorder is off.
    private let current: Locked<RecordingSession?>
    private let makeSession: @Sendable (Settings.Target, _ isLaunch: Bool) -> RecordingSession
    /// Off for as long as the process lives: then the session is never looked for.
    private let isOff: Bool
    private let offReason: String
    private let redactor: Redactor
    private let layouts: Layouts
    private let launch: Launch
    private let log: @Sendable (String) -> Void

    /// Makes a recorder and begins to connect, if there is an address.
    ///
    /// - Parameters:
    ///   - url: Where the server is, as `http://host:port/` or `ws://host:port/`; without it `STATETAPE_URL`, the launch
    ///     argument `-statetape-url` and the link that was saved by ``open(_:ask:)`` are asked, in this order.
    ///   - token: The server's token; without it `STATETAPE_TOKEN`, the launch argument `-statetape-token`, then a fragment
    ///     `#token=…` of the address. A saved link has its own.
    ///   - allowRelease: Records in release builds too.
    ///   - comparison: How the recorder finds what changed in a state; without it `STATETAPE_COMPARISON` (`layout` or
    ///     `encoded`), and without both what this process allows: see ``Comparison``.
    ///   - verify: Holds every patch between two values against the state encoded whole, which is slow; where the two
    ///     differ, an error is noted on the tape with the place, and the state is written whole.
    ///   - redaction: Names the secrets whose values never leave the process.
    ///   - crashSafe: Keeps what the server does not have yet in the app's caches folder too, where it outlives the
    ///     process: the next launch delivers it, and with it the action during which the process died. Without it all of
    ///     it is in memory only.
    ///   - spoolLimit: How many bytes are kept for the server at most, in memory and again on the disk; no less than 1 MiB.
    ///     The oldest give way, and a gap on the tape says so.
    ///   - log: Takes the recorder's messages for the developer, one sentence each, on any thread.
    public convenience init(
        url: String? = nil, token: String? = nil, allowRelease: Bool = false, comparison: Comparison? = nil,
        verify: Bool = false, crashSafe: Bool = true, spoolLimit: Int = 64 << 20, redaction: Redaction = .standard,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(
            url: url, token: token, allowRelease: allowRelease, allowTests: false, comparison: comparison,
            verify: verify, crashSafe: crashSafe, redaction: redaction, launch: .current,
            bounds: Outbox.Bounds(bytes: max(spoolLimit, 1 << 20)), log: log)
    }

    /// For this package's own tests and benchmarks: with `allowTests` it records in a process that runs unit tests.
    ///
    /// - Parameters:
    ///   - spool: The folder for what the server does not have yet; nil keeps that in memory only.
    ///   - compresses: Whether what is sent is compressed; nil: where it leaves the machine.
    ///   - file: The tape file to write, as `STATETAPE_FILE`.
    ///   - ownsArrays: Compares each array with elements of the recorder's own, however short it is and seldom it changes.
    ///   - startLimit: How long the stores wait for the server's word on where they begin, in seconds; nil: as in an app.
    package convenience init(
        url: String? = nil, token: String? = nil, allowRelease: Bool = false, allowTests: Bool, spool: URL? = nil,
        compresses: Bool? = nil, file: String? = nil, comparison: Comparison? = nil,
        startLimit: Double? = nil, ownsArrays: Bool = false, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        var launch = Launch.current
        launch.spool = spool
        launch.compresses = compresses
        launch.ownsArrays = ownsArrays
        if let startLimit { launch.startLimit = startLimit }
        if let file { launch.environment["STATETAPE_FILE"] = file }
        self.init(
            url: url, token: token, allowRelease: allowRelease, allowTests: allowTests, comparison: comparison,
            launch: launch, log: log)
    }

    // Once, not as a part of each that calls it: it takes some kilobytes of an app.
    @inline(never)
    init(
        url: String?, token: String? = nil, allowRelease: Bool = false, allowTests: Bool,
        comparison: Comparison? = nil, verify: Bool = false, crashSafe: Bool = true,
        redaction: Redaction = .standard, launch: Launch,
        bounds: Outbox.Bounds = Outbox.Bounds(),
        transport: @escaping @Sendable () throws -> any Transport = Recorder.transport,
        log: @escaping @Sendable (String) -> Void
    ) {
        let settings = Settings(
            url: url, token: token, allowRelease: allowRelease, allowTests: allowTests, launch: launch)
        (isOff, offReason) =
            switch settings {
            case .on: (false, "")
            case .off(let reason, let takesLinks): (!takesLinks, reason)
            }
        let redactor = isOff ? .standard : Redactor(redaction)
        let choice = isOff ? Comparison.Choice(.encoded) : Comparison.Choice(comparison, launch.environment)
        let layouts = Layouts(choice.comparison)
        let makeSession: @Sendable (Settings.Target, Bool) -> RecordingSession = { target, isLaunch in
            RecordingSession(
                target: target, launch: launch, bounds: bounds, isVerifying: verify, isCrashSafe: crashSafe,
                isLaunch: isLaunch, redactor: redactor, layouts: layouts, transport: transport, log: log)
        }
        (self.redactor, self.layouts, self.makeSession) = (redactor, layouts, makeSession)
        (self.launch, self.log) = (launch, log)
        switch settings {
        case .on(let target):
            current = Locked(makeSession(target, true))
            if let message = choice.message { log(message) }
        case .off(let reason, _):
            current = Locked(nil)
            log("StateTape is off: \(reason).")
        }
    }

    var session: RecordingSession? { isOff ? nil : current.withLock { $0 } }

    private static func transport() throws -> any Transport {
        #if os(Linux) && canImport(TapeSockets)
            try SocketsTransport()
        #else
            URLSessionTransport()
        #endif
    }

    /// Whether anything is recorded.
    public var isOn: Bool { session != nil }

    /// Attaches a store whose actions are one `Codable` type, most often an enum.
    ///
    /// - Parameters:
    ///   - initial: The state that the app begins with by itself.
    ///   - action: The type of the store's actions.
    ///   - name: The store's name on the tape; a second one of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    public func track<State: Codable, Action: Codable>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        track(initial, name, capture, StateCodec(), ActionCodec(redactor))
    }

    /// Attaches a store whose actions are many types behind a protocol.
    ///
    /// - Parameters:
    ///   - initial: The state that the app begins with by itself.
    ///   - action: The protocol, as `(any Action).self`.
    ///   - decoding: The types of action that can be played back into the app.
    ///   - name: The store's name on the tape; a second one of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    public func track<State: Codable, Action>(
        _ initial: State, _ action: Action.Type, decoding: [any Codable.Type], name: String = "main",
        capture: Capture = .every
    ) -> Track<State, Action> {
        track(initial, name, capture, StateCodec(), ActionCodec(decoding: decoding, redactor))
    }

    /// Attaches a store whose state is not `Codable`: it is recorded by reflection, to be looked at but not played back.
    ///
    /// Reflection is slow. A state that holds class instances, as most without Codable do, is read where it is dispatched.
    ///
    /// - Parameters:
    ///   - initial: The state that the app begins with by itself.
    ///   - action: The type of the store's actions, which can be played back.
    ///   - name: The store's name on the tape; a second one of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    public func track<State, Action: Codable>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        track(initial, name, capture, .reflecting, ActionCodec(redactor))
    }

    /// Attaches a store whose actions are not `Codable`: they are recorded by reflection and can't be played back.
    public func track<State: Codable, Action>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        track(initial, name, capture, StateCodec(), .reflecting(redactor))
    }

    /// Attaches a store whose state is not `Codable` and whose actions are many types behind a protocol: the state is
    /// recorded by reflection, to be looked at but not played back.
    ///
    /// - Parameters:
    ///   - initial: The state that the app begins with by itself.
    ///   - action: The protocol, as `(any Action).self`.
    ///   - decoding: The types of action that can be played back into the app.
    ///   - name: The store's name on the tape; a second one of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    public func track<State, Action>(
        _ initial: State, _ action: Action.Type, decoding: [any Codable.Type], name: String = "main",
        capture: Capture = .every
    ) -> Track<State, Action> {
        track(initial, name, capture, .reflecting, ActionCodec(decoding: decoding, redactor))
    }

    /// Attaches a store of which neither state nor actions are `Codable`: both are recorded by reflection, view only.
    public func track<State, Action>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        track(initial, name, capture, .reflecting, .reflecting(redactor))
    }

    /// Takes types for values although they hold class instances; before the stores that contain them are tracked.
    ///
    /// A state that holds class instances is encoded whole each time that it is recorded, on the dispatching thread, since
    /// such an instance can change without the state's noticing. Some types that hold one are values all the same: they
    /// copy it on write, as the collections of the standard library do, or never change it. Those of swift-collections and
    /// of TCA's `@ObservableState` are known.
    public func trust(_ types: Any.Type...) {
        for type in types { layouts.trust(type) }
    }

    private func track<State, Action>(
        _ initial: State, _ name: String, _ capture: Capture, _ states: StateCodec<State>,
        _ actions: ActionCodec<Action>
    ) -> Track<State, Action> {
        let tape = session.map { session in
            session.attach(name) { name in
                StoreRecorder(
                    name: name, session: session, initial: initial, states: states, actions: actions,
                    slice: capture.slice(at: session.redactor.root, log: session.log), rate: capture.rate)
            }
        }
        return Track(initial, tape)
    }

    /// Runs a dispatch that reaches several stores, so that the tape shows what they record as one.
    ///
    /// What is recorded on this thread while it runs belongs to it, but for what a dispatch inside of it reaches; a store
    /// that reduces on another thread does not take part. The dispatcher of `StateTapeStore` takes it as middleware:
    ///
    /// ```swift
    /// Dispatcher<AppAction>(middleware: [{ next in { action in tape.dispatch { next(action) } } }])
    /// ```
    @discardableResult
    public func dispatch<Output, Failure: Error>(
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let session else { return try body() }
        return try session.dispatch(body)
    }

    /// Takes a link of the form `APP-SCHEME://statetape?url=…&token=…`, as a server's page shows it to be scanned.
    ///
    /// The app's user is asked first. Then the link is saved, so that this app's launches connect there where code,
    /// `STATETAPE_URL` and `-statetape-url` name no server, until ``forgetLink()``; and the recorder connects at once:
    ///
    /// - One that records goes on with the new server.
    /// - One that was off for want of an address begins. It has installed nothing in the stores that were tracked before, so
    ///   they are recorded from the next launch on; those tracked from now on are recorded now.
    /// - One that is off for another reason, such as a release build without `allowRelease`, takes no links and asks nobody.
    ///
    /// ```swift
    /// .onOpenURL { url in tape.open(url) { question in await confirm(question) } }
    /// ```
    ///
    /// - Parameters:
    ///   - url: What the app was opened with.
    ///   - ask: Shows the question, which names the server and says whether the connection is unencrypted, and tells
    ///     whether the answer was yes. Without it no link is taken.
    /// - Returns: Whether the URL has that form, whatever became of it. All others are left alone.
    @discardableResult
    public func open(_ url: URL, ask: (@MainActor @Sendable (_ question: String) async -> Bool)? = nil) -> Bool {
        guard let link = ServerLink(url) else { return false }
        if isOff {
            log("The recorder ignored the link \(link.url): \(offReason).")
        } else if let address = link.address, let ask {
            Task { @MainActor in
                guard await ask(address.question) else {
                    return log("The user declined the link to \(address.server).")
                }
                follow(link, to: address)
            }
        } else if ask == nil {
            log("The recorder ignored the link \(link.url): pass `ask:` to open(_:ask:).")
        } else {
            log("The recorder ignored the link \(link.url): it needs a URL like http://host:port/.")
        }
        return true
    }

    /// Deletes the link that ``open(_:ask:)`` has saved. A connection that is up stays up.
    public func forgetLink() {
        do throws(FileFailure) {
            if let place = launch.link { try ServerLink.forget(place) }
        } catch {
            log("The saved link can't be deleted: \(error)")
        }
    }

    private func follow(_ link: ServerLink, to address: Address) {
        do {
            if let place = launch.link { try link.save(place) }
        } catch {
            log("The recorder can't save the link to \(address.server); it applies to this launch only: \(error)")
        }
        let running = current.withLock { current -> RecordingSession? in
            if let current { return current }
            let target = Settings.Target(address: address, spool: launch.spool)
            current = makeSession(target, false)
            return nil
        }
        if let running { return running.move(to: address) }
        note("Recording started with a link. Stores that were made before are recorded from the next launch on.")
    }

    /// Marks this moment on the tape.
    public func note(_ text: String) {
        guard let session else { return }
        let now = session.now
        session.submit(Job(isDroppable: true) { $0.note(text, at: now) })
    }

    /// Tells the link that something has happened.
    func feed(_ input: LinkState.Input) {
        guard let session else { return }
        session.queue.async { session.feed(input) }
    }

    /// Waits until everything recorded so far is encoded, which an app never has to.
    package func settle() { session?.settle() }

    /// Ends the session and waits until the server has everything, at most `timeout`; for the end of a process.
    ///
    /// Nothing is recorded after it. Of a process that ends without it, the next launch delivers what the server has not
    /// acknowledged, and the session ends there as `interrupted`.
    ///
    /// - Returns: Whether the server has acknowledged the whole tape. Where the recorder itself has called, as in `log` or
    ///   while it encodes, it can't wait for itself: the session ends behind the call, which returns false.
    @discardableResult
    public func finish(timeout: Duration = .seconds(2)) -> Bool {
        guard let session else { return true }
        guard !session.isOnQueue else {
            session.end { [weak session] _ in session?.stop() }
            return false
        }
        let (ended, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasAll = Locked(false)
        let deadline = DispatchTime.now() + timeout.milliseconds / 1_000
        session.end { result in
            hasAll.withLock { $0 = result }
            ended.signal()
        }
        _ = ended.wait(timeout: deadline)
        // If there is time left, waits until a pipe is free for the next recorder.
        session.stop { stopped.signal() }
        _ = stopped.wait(timeout: deadline)
        return hasAll.withLock { $0 }
    }
}
