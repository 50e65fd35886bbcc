import TapeArchive
import TapeFormat

/// The launch state of a new run.
struct LaunchOffer: Sendable {
    let start: Welcome.Start
    /// The actions to replay after the state.
    var replay: Replay?
}

/// Finds the launch states of new runs.
protocol LaunchOffers: Sendable {
    /// Nil if the run gets none. Reads the archive.
    func begin(_ run: Session) -> LaunchOffer?
}
