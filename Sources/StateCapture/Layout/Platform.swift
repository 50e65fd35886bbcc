import Foundation

/// The platform of the process.
package struct Platform {
    /// Whether metadata has the expected form. On an untested system, it is read only if the app asks for it.
    var isReadable: @Sendable () -> Bool
    /// The platform's name, with its version.
    var name: String
    /// The newest version that was tested, if this one is newer.
    var tested: String?

    package init(isReadable: @escaping @Sendable () -> Bool, name: String, tested: String? = nil) {
        (self.isReadable, self.name, self.tested) = (isReadable, name, tested)
    }

    /// Why layouts can't be compared; nil if they can.
    ///
    /// - Parameter isAsked: The app accepts the risk of an untested system.
    package func obstacle(isAsked: Bool) -> String? {
        if let tested, !isAsked {
            return """
                \(name) is newer than what was tested (\(tested)); Recorder(.init(comparison: .layout)) or \
                STATETAPE_COMPARISON=layout compares layouts all the same
                """
        }
        return isReadable() ? nil : "the metadata of types can't be read on \(name)"
    }

    package static var current: Platform { Platform(isReadable: { Metadata.isReadable }, name: name, tested: tested) }

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
