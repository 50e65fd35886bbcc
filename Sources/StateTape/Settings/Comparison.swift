import StateCapture

/// How a recorder finds the changes from one state to the next.
///
/// ``automatic`` is ``layout`` where that was tested. It is ``encoded``:
///
/// - on arm64e, where the addresses in the runtime's metadata are signed;
/// - where a test of the metadata fails when the recorder is made;
/// - on a system newer than those tested: on Apple's platforms a system past version 26, elsewhere a Swift past 6.3. An
///   app that has tested such a system may choose ``layout``.
///
/// The recorder's `log` gives the reason. The environment variable `STATETAPE_COMPARISON` chooses without a new build.
public enum Comparison: String, Sendable {
    /// What `STATETAPE_COMPARISON` says, `layout` or `encoded`; else ``layout`` where it is safe.
    case automatic
    /// Compares the bytes of two states in memory and visits only the parts that differ, on the recorder's thread.
    ///
    /// The runtime's metadata shows which parts may change in place. A state that holds such a part is encoded whole.
    case layout
    /// Encodes each recorded state in full on the dispatching thread, and compares the JSON on the recorder's thread.
    ///
    /// The cost is proportional to the state, on the app's thread. This comparison relies only on `encode(to:)`. Apps
    /// whose types conform as `@preconcurrency Codable` need it, because the recorder can't detect such types.
    case encoded
}

extension Comparison {
    var mode: ComparisonMode { self == .encoded ? .encoded : .layout }

    /// The comparison of a recorder, and a message about it.
    struct Choice {
        let comparison: Comparison
        /// A warning for the developer; nil if there is none.
        var message: String?

        init(_ comparison: Comparison) {
            self.comparison = comparison
        }

        /// - Parameters:
        ///   - code: The choice in the app's code.
        ///   - environment: `STATETAPE_COMPARISON` counts if the code makes no choice.
        init(_ code: Comparison, _ environment: [String: String], on platform: Platform = .current) {
            let text = environment["STATETAPE_COMPARISON"].flatMap { $0.isEmpty ? nil : $0 }
            let named = text.flatMap { word in [Comparison.layout, .encoded].first { $0.rawValue == word } }
            let asked = code == .automatic ? named : code
            let obstacle = asked == .encoded ? nil : platform.obstacle(isAsked: asked == .layout)
            comparison = asked == .encoded || obstacle != nil ? .encoded : .layout
            if let obstacle {
                message = "StateTape encodes each recorded state as a whole, on the dispatching thread: \(obstacle)."
            } else if code == .automatic, asked == nil, let text {
                message = "STATETAPE_COMPARISON is ignored: “\(text)” is neither layout nor encoded."
            }
        }
    }
}
