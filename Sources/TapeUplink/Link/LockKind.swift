/// Why the app's own actions don't run.
package enum LockKind {
    /// They are queued, and run later or are discarded.
    case queue
    /// They are queued during the replay of a launch state, whose end discards them.
    case replay
    /// They are dropped during a replay in the running app. Actions that were queued before stay queued.
    case loop
}
