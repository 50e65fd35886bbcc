import Logging
import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// The components that uploads use, and the limit of simultaneous uploads.
final class Uploads: Sendable {
    /// How long an interrupted upload can be resumed, in ms.
    private static let resumeWindow = 24 * 3_600_000

    let archive: any Archive
    let tapes: Tapes
    let states: States
    let apps: LiveApps
    let committer: Committer
    let loop: EventLoop
    let limits: Configuration.Limits
    let room = UploadMemory()
    let sealing = UploadSealingPlaces()
    let events: EventPost
    let logger: Logger
    /// Of simultaneous uploads: each may keep a thread busy.
    private let places = Locked(Places(16, withoutControl: 12, ofClient: 6))

    init(
        _ archive: any Archive, _ tapes: Tapes, _ states: States, apps: LiveApps, committer: Committer,
        loop: EventLoop, limits: Configuration.Limits, events: EventPost, logger: Logger
    ) {
        (self.archive, self.tapes, self.states, self.apps) = (archive, tapes, states, apps)
        (self.committer, self.loop, self.limits) = (committer, loop, limits)
        (self.events, self.logger) = (events, logger)
    }

    /// Deletes old interrupted uploads. Sessions that only damage has marked as such are shown again.
    func sweep() {
        committer.run { [self] in
            do {
                for session in try archive.deleteUploads(before: WallClock.now - Self.resumeWindow) {
                    logger.error(
                        "Session \(session) was marked as an unfinished upload, although it isn't one. The server shows it again; “statetape check” tells what else is damaged."
                    )
                    events.tell(.shown(session))
                }
            } catch {
                logger.error("Interrupted uploads can't be deleted: \(error)")
            }
        }
        committer.sweep()
    }

    /// False if a limit is reached. Call ``leave(_:)`` when the upload ends.
    func enter(_ client: Requester) -> Bool { places.withLock { $0.take(client) } }

    func leave(_ client: Requester) { places.withLock { $0.give(back: client) } }

    /// The session, hidden or not; nil if it doesn't exist.
    ///
    /// - Throws: `Problem` if an app is connected to the session.
    func find(_ id: String) throws -> Session? {
        if let reason = committer.failure { throw Problem.unwritable(reason) }
        let found = Reply<(Result<Session?, any Error>, isLive: Bool)>.wait { promise in
            committer.run { [self] in
                let session = Result { try archive.upload(id) }
                // On the loop, after an app that opened the session before has been registered.
                loop.execute { promise.give((session, self.apps.isConnected(id))) }
            }
        }
        guard let (session, isLive) = found else { throw Problem.stopping }
        if isLive {
            throw Problem(
                409, "live",
                "The app of session “\(id)” is connected, so the session is still being recorded. End the app first.")
        }
        return try session.get()
    }

    /// Creates a session, or takes over the one that was found: only `owner` may append to it from now on.
    func claim(_ header: Header, found: Session?, owner: String) throws -> Session {
        let claim = SessionLease(header: header, owner: owner, before: found?.owner)
        switch Reply.wait({ _ = committer.add(.claim(claim), ChangeReply($0)) }) {
        case .success(.opened(let session)): return session
        case .success: throw Problem.taken
        case .failure(let error): throw Problem.unwritable("\(error)")
        case nil: throw Problem.stopping
        }
    }

    /// Runs `body` between two commits, and waits for it.
    func change(_ body: @escaping @Sendable () throws -> Void) throws {
        let result = Reply<Result<Void, any Error>>.wait { promise in
            committer.run { promise.give(Result(catching: body)) }
        }
        switch result {
        case .success: break
        case .failure(let error): throw Problem.unwritable("\(error)")
        case nil: throw Problem.stopping
        }
    }
}

extension Uploads: CoreService {
    func handle(_ event: CoreEvent) {
        if case .maintain = event { sweep() }
    }
}

extension Problem {
    static let stopping = Problem(503, "stopping", "The server is stopping.")
    static let taken = Problem(409, "taken", "Another upload, or the session's app, took over the session.")
}
