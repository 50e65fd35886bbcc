import Dispatch
public import Foundation
import StateCapture
import TapeFormat
import TapeUplink

/// Records what an app's stores do and sends it to a StateTape server. Make one per process.
///
/// The recorder compares, encodes and sends on its own thread. A state that holds class instances is encoded on the
/// dispatching thread. Without an address, or in a release build, the recorder is off and costs one branch.
public final class Recorder: Sendable {
    /// The session; nil while the recorder is off.
    private let current: Locked<RecordingSession?>
    private let makeSession: @Sendable (Settings.Target, _ isLaunch: Bool) -> RecordingSession
    /// True if the recorder stays off for the life of the process: `session` is then always nil.
    private let isOff: Bool
    private let offReason: String
    let redactor: Redactor
    let migrations: Migrations
    private let layouts: Layouts
    private let launch: Launch
    let log: @Sendable (String) -> Void

    /// Makes a recorder and starts to connect, if there is an address.
    // Inlined, each caller would add some kilobytes to the app.
    @inline(never)
    public init(_ options: Configuration = Configuration()) {
        let test = options.launch == nil ? TestRecordings.current.flatMap { $0.isEnded ? nil : $0 } : nil
        let (launch, log) = (options.launch(in: test), options.write)
        let report = options.report ?? { log($0.description) }
        let settings = Settings(
            // A test writes to files only.
            url: test == nil ? options.url : nil, token: options.token, allowRelease: options.allowRelease,
            allowTests: options.allowTests, launch: launch)
        (isOff, offReason) =
            switch settings {
            case .on: (false, "")
            case .off(let reason, let takesLinks, _): (!takesLinks, reason)
            }
        let redactor = isOff ? .standard : Redactor(options.redaction.rules)
        let choice =
            isOff ? Comparison.Choice(.encoded) : Comparison.Choice(options.comparison, launch.environment)
        let stacks = CallStackChoice(options.callStacks, launch.environment)
        let (layouts, migrations) = (Layouts(choice.comparison.mode), Migrations())
        let makeSession: @Sendable (Settings.Target, Bool) -> RecordingSession = { target, isLaunch in
            RecordingSession(
                target: target, launch: launch, bounds: options.bounds, isVerifying: options.verify,
                hasCallStacks: stacks.isOn, isCrashSafe: options.crashSafe, isLaunch: isLaunch, redactor: redactor,
                layouts: layouts, migrations: migrations, transport: options.transport, log: log, report: report)
        }
        (self.redactor, self.layouts, self.migrations) = (redactor, layouts, migrations)
        (self.makeSession, self.launch, self.log) = (makeSession, launch, log)
        switch settings {
        case .on(let target):
            let session = makeSession(target, true)
            current = Locked(session)
            for message in [choice.message, LaunchWait(launch.environment).message, stacks.message] {
                if let message { log(message) }
            }
            test?.add(session)
        case .off(let reason, _, let isAsked):
            current = Locked(nil)
            if isAsked || options.tellsUnasked { report(.off(reason: reason, isAsked: isAsked)) }
        }
    }

    var session: RecordingSession? { isOff ? nil : current.withLock { $0 } }

    /// Whether the recorder records.
    public var isOn: Bool { session != nil }

    /// Attaches a store whose actions are one `Codable` type, most often an enum.
    ///
    /// - Parameters:
    ///   - initial: The app's own initial state.
    ///   - action: The type of the store's actions.
    ///   - name: The store's name on the tape; a second store of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    public func track<State: Codable, Action: Codable>(
        _ initial: State, _ action: Action.Type, name: String = "main", capture: Capture = .every
    ) -> Track<State, Action> {
        track(
            initial, name, capture, StateCodec(), ActionCodec(redactor),
            types: { Header.StoreTypes(State.self, Action.self) })
    }

    /// Attaches a store whose actions are many types behind a protocol.
    ///
    /// On the tape an action is named after its type, without the module. Where two types of this store would have the
    /// same name, it is with the module: those of `decoding` from the start, any other one as soon as the store records it
    /// after one of the same name. A name never means two types. If a tape says `Reset` and `decoding` has two such types,
    /// the action isn't dispatched, and the answer names both.
    ///
    /// - Parameters:
    ///   - initial: The app's own initial state.
    ///   - action: The protocol, as `(any Action).self`.
    ///   - decoding: The action types that the server can dispatch in the app. If types in two modules have the same
    ///     name, the tape has it with the module, as in `Cart.Reset`.
    ///   - name: The store's name on the tape; a second store of the same name becomes `name#2`.
    ///   - capture: Which states are recorded.
    public func track<State: Codable, Action>(
        _ initial: State, _ action: Action.Type, decoding: [any Codable.Type], name: String = "main",
        capture: Capture = .every
    ) -> Track<State, Action> {
        track(
            initial, name, capture, StateCodec(), ActionCodec(decoding: decoding, redactor),
            types: { Header.StoreTypes(State.self, Action.self, decoding: decoding) })
    }

    /// Treats types as values although they hold class instances. Call it before you track a store that contains them.
    ///
    /// A state that holds class instances is encoded whole on the dispatching thread each time, because an instance can
    /// change while the state's own memory stays the same. Some types that hold an instance are values all the same:
    /// they copy it on write, as the standard library's collections do, or never change it. The recorder already knows
    /// those of swift-collections and of TCA's `@ObservableState`.
    public func trust(_ types: Any.Type...) {
        for type in types { layouts.trust(type) }
    }

    func track<State, Action>(
        _ initial: State, _ name: String, _ capture: Capture, _ states: StateCodec<State>,
        _ actions: ActionCodec<Action>, types: () -> Header.StoreTypes? = { nil }
    ) -> Track<State, Action> {
        let launchState = KeptState(initial)
        let store = session.map { session in
            session.attach(name, types()) { name in
                StoreRecorder(
                    name: name, session: session, launchState: launchState, states: states, actions: actions,
                    slice: capture.slice(at: session.redactor.root, log: session.log), rate: capture.rate)
            }
        }
        return Track(launchState, store)
    }

    /// Runs a dispatch that reaches several stores, so that the tape shows their events as one dispatch.
    ///
    /// Events recorded on this thread while `body` runs belong to the dispatch, except those of a dispatch inside it. A
    /// store that reduces on another thread does not take part. The dispatcher of `StateTapeStore` takes it as
    /// middleware:
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

    /// Follows a link of the form `APP-SCHEME://statetape?url=…&token=…`, which a server's page shows for scanning.
    ///
    /// The recorder asks the app's user first. Then it saves the link and connects at once. Later launches of this app
    /// connect there too, until ``forgetLink()``, unless code, `STATETAPE_URL` or `-statetape-url` names a server.
    ///
    /// - A recorder that is on continues with the new server.
    /// - A recorder that was off because it had no address starts. It records stores tracked from now on at once, and
    ///   stores tracked before from the next launch on.
    /// - A recorder that is off for another reason, such as a release build without `allowRelease`, ignores links and
    ///   does not ask.
    ///
    /// ```swift
    /// .onOpenURL { url in tape.open(url) { question in await confirm(question) } }
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL that the app was opened with.
    ///   - ask: Shows the question and returns whether the user agrees. The question names the server and says whether
    ///     the connection is unencrypted. Without `ask`, the recorder ignores links.
    /// - Returns: Whether the URL has that form, even if the link was not followed. The recorder ignores all other
    ///   URLs.
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

    /// Deletes the link that ``open(_:ask:)`` saved. An open connection stays open.
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

    /// Writes a note to the tape at this moment.
    public func note(_ text: String) {
        guard let session else { return }
        let now = session.now
        session.submit(Job(isDroppable: true) { $0.note(text, at: now) })
    }

    /// Passes an input to the link.
    func feed(_ input: LinkState.Input) {
        guard let session else { return }
        session.post { $0.feed(input) }
    }

    /// Waits until everything recorded so far is encoded. An app never needs it.
    package func settle() { session?.settle() }

    /// Ends the session and waits at most `timeout` until the server has everything. Call it at the end of a process.
    ///
    /// The recorder records nothing after it. If a process ends without it, the next launch delivers the unacknowledged
    /// events and ends the session as `interrupted`.
    ///
    /// - Parameter timeout: How long to wait at most.
    /// - Returns: Whether the server has acknowledged the whole tape. A call from the recorder's own thread, as in
    ///   `log` or during encoding, can't wait: it returns false, and the session ends after the call.
    @discardableResult
    public func finish(timeout: Duration = .seconds(2)) -> Bool {
        guard let session else { return true }
        guard !session.thread.isCurrent else {
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
        // If time is left, wait until a pipe is free for the next recorder.
        session.stop { stopped.signal() }
        _ = stopped.wait(timeout: deadline)
        return hasAll.withLock { $0 }
    }
}
