import Foundation

/// How a recorder finds what changed from one state to the next.
///
/// Without a choice of the app's it is ``layout`` where that was tested, else ``encoded``:
///
/// - on arm64e, where the addresses in the runtime's metadata are signed;
/// - where a test of the metadata fails when the recorder is made;
/// - on a system newer than those tested: on Apple's platforms one past version 26, elsewhere a Swift past 6.3. There an app
///   that has tested it may choose ``layout``.
///
/// The recorder's `log` says why. `STATETAPE_COMPARISON` chooses without a new build.
public enum Comparison: String, Sendable {
    /// Compares the bytes of two states in memory and visits only what differs, on the recorder's thread.
    ///
    /// What may change in place is found by the runtime's metadata; a state that holds such a part is encoded whole.
    case layout
    /// Encodes each recorded state whole where it is dispatched, and compares the JSON on the recorder's thread.
    ///
    /// It costs in proportion to the state, on the app's thread, and relies on nothing but `encode(to:)`. It is also what
    /// an app needs whose types conform as `@preconcurrency Codable`, which nobody can tell from outside.
    case encoded
}

extension Comparison {
    /// What a recorder compares by, and what to tell about it.
    struct Choice {
        let comparison: Comparison
        /// For the developer; nil if it is what was asked for.
        var message: String?

        init(_ comparison: Comparison) {
            self.comparison = comparison
        }

        /// - Parameters:
        ///   - code: What the app's code asks for.
        ///   - environment: `STATETAPE_COMPARISON` counts where the code doesn't ask.
        init(_ code: Comparison?, _ environment: [String: String], on platform: Platform = .current) {
            let text = environment["STATETAPE_COMPARISON"].flatMap { $0.isEmpty ? nil : $0 }
            let asked = code ?? text.flatMap(Comparison.init)
            let obstacle = asked == .encoded ? nil : platform.obstacle(isAsked: asked == .layout)
            comparison = asked == .encoded || obstacle != nil ? .encoded : .layout
            if let obstacle {
                message = "StateTape encodes each recorded state whole where it is dispatched: \(obstacle)."
            } else if code == nil, asked == nil, let text {
                message = "STATETAPE_COMPARISON is “\(text)”, which is neither layout nor encoded: it is ignored."
            }
        }
    }

    /// What the process runs on.
    struct Platform {
        /// Whether metadata is as it should be. On a system that was not tested it is read only where the app asks for it.
        var isReadable: @Sendable () -> Bool
        /// With its version.
        var name: String
        /// The newest version that was tested, if this one is newer.
        var tested: String?

        /// Why layouts can't be compared; nil if they can.
        ///
        /// - Parameter isAsked: The app takes the risk of a system that was not tested.
        func obstacle(isAsked: Bool) -> String? {
            if let tested, !isAsked {
                return """
                    \(name) is newer than what was tested (\(tested)); Recorder(comparison: .layout) or \
                    STATETAPE_COMPARISON=layout compares layouts all the same
                    """
            }
            return isReadable() ? nil : "the metadata of types can't be read on \(name)"
        }

        static var current: Platform { Platform(isReadable: { Metadata.isReadable }, name: name, tested: tested) }

        #if canImport(Darwin)
            // Swift's runtime comes with the system.
            private static let newest = 26
            private static let version = ProcessInfo.processInfo.operatingSystemVersion.majorVersion
            private static let name = "version \(version) of the system"
            private static let tested = version > newest ? "version \(newest)" : nil
        #else
            // Swift's runtime is the one that the compiler brings.
            private static let name = "this version of Swift"
            #if compiler(>=6.4)
                private static let tested: String? = "6.3"
            #else
                private static let tested: String? = nil
            #endif
        #endif
    }
}
