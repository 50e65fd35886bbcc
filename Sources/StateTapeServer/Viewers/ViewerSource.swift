import Logging
import TapeArchive
import TapeFormat
import TapeSockets

/// What a viewer asks for.
protocol ViewerSource {
    /// Reads each session's lowest seq that isn't committed, and answers on the loop's thread. Nil if the archive can't be
    /// read.
    func next(_ sessions: Set<String>, then: @escaping ([String: Int]?) -> Void)
    /// Sends summaries to the viewers of the list: of the live sessions if nil, else of these sessions.
    func sendSummaries(_ sessions: Set<String>?)
}

/// Answers from the archive.
struct ArchiveViewerSource: ViewerSource {
    let archive: any TapeStore
    let feed: SessionFeed
    let apps: LiveApps
    let workers: Workers
    let loop: EventLoop
    let logger: Logger

    func next(_ sessions: Set<String>, then: @escaping ([String: Int]?) -> Void) {
        let back = loop.back(then)
        workers.run { [archive, logger] in
            let next = Result { try archive.next(of: sessions) }
            if case .failure(let error) = next { logger.error("Watched sessions can't be read: \(error)") }
            back(try? next.get())
        }
    }

    func sendSummaries(_ sessions: Set<String>?) { feed.show(sessions ?? apps.live) }
}
