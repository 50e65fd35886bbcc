/// What happens to a run.
enum RunEvent: Sendable {
    case changed(SourceChanges.Change)
    /// The sources can't be watched any more.
    case unwatched(String)
    case built(Build.Result, start: [String], Duration)
    case ended(Ending, process: Int32)
    /// The app has recorded its first event; nil if it has not within some seconds.
    case connected(at: ContinuousClock.Instant?, LaunchAnswer, process: Int32)
    case interrupted
}
