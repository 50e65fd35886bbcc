import Foundation

/// How a recorder finds the changes from one state to the next.
///
/// Unless the app chooses, it is ``layout`` where that was tested. It is ``encoded``:
///
/// - on arm64e, where the addresses in the runtime's metadata are signed;
/// - where a test of the metadata fails when the recorder is made;
/// - on a system newer than those tested: on Apple's platforms a system past version 26, elsewhere a Swift past 6.3. An
///   app that has tested such a system may choose ``layout``.
///
/// The recorder's `log` gives the reason. The environment variable `STATETAPE_COMPARISON` chooses without a new build.
public enum Comparison: String, Sendable {
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
        init(_ code: Comparison?, _ environment: [String: String], on platform: Platform = .current) {
            let text = environment["STATETAPE_COMPARISON"].flatMap { $0.isEmpty ? nil : $0 }
            let asked = code ?? text.flatMap(Comparison.init)
            let obstacle = asked == .encoded ? nil : platform.obstacle(isAsked: asked == .layout)
            comparison = asked == .encoded || obstacle != nil ? .encoded : .layout
            if let obstacle {
                message = "StateTape encodes each recorded state as a whole, on the dispatching thread: \(obstacle)."
            } else if code == nil, asked == nil, let text {
                message = "STATETAPE_COMPARISON is ignored: “\(text)” is neither layout nor encoded."
            }
        }
    }

    /// The platform of the process.
    struct Platform {
        /// Whether metadata has the expected form. On an untested system, it is read only if the app asks for it.
        var isReadable: @Sendable () -> Bool
        /// The platform's name, with its version.
        var name: String
        /// The newest version that was tested, if this one is newer.
        var tested: String?

        /// Why layouts can't be compared; nil if they can.
        ///
        /// - Parameter isAsked: The app accepts the risk of an untested system.
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
            // Swift's runtime comes with the compiler.
            private static let name = "this version of Swift"
            #if compiler(>=6.4)
                private static let tested: String? = "6.3"
            #else
                private static let tested: String? = nil
            #endif
        #endif
    }
}
