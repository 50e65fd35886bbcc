import TapeArchive
import TapeFormat
import TapeSockets

/// The components that app links use.
struct Ingest {
    let apps: Apps
    let committer: Committer
    let loop: EventLoop
    let workers: Workers
    let timing: Configuration.Timing
    let wrongTokens: WrongTokens
    /// Bytes of the longest message that is accepted.
    let maxMessage: Int
    /// The archive's id.
    let archive: String
    let isPrivate: Bool
    let launches: any LaunchOffers
    let events: CoreEvents
}
