import Foundation

/// How long a launch waits for the server's launch state.
struct LaunchWait {
    private static let limits = 0.0...60

    /// In seconds, for all stores together.
    let limit: TimeInterval
    /// A warning for the developer; nil if there is none.
    let message: String?

    /// - Parameter environment: `STATETAPE_LAUNCH_WAIT` is a number of seconds.
    init(_ environment: [String: String]) {
        let text = environment["STATETAPE_LAUNCH_WAIT"].flatMap { $0.isEmpty ? nil : $0 }
        let asked = text.flatMap(TimeInterval.init).flatMap { Self.limits ~= $0 ? $0 : nil }
        limit = asked ?? 0.3
        guard asked == nil, let text else {
            message = nil
            return
        }
        message = "STATETAPE_LAUNCH_WAIT is ignored: “\(text)” is not a number of seconds from 0 to 60."
    }
}
