import Foundation

/// Whether a recorder records, and to where.
enum Settings: Equatable {
    case on(Target)
    /// With the reason, as the end of "StateTape is off: …".
    ///
    /// - Parameter takesLinks: Nothing but an address is missing.
    case off(String, takesLinks: Bool = false)

    /// At least one of the two is there.
    struct Target: Equatable {
        var address: Address?
        /// Path of a tape file to write.
        var file: String?
        /// The folder for what the server does not have yet; nil keeps that in memory.
        var spool: URL?
    }

    /// The address is the first of code, environment, launch argument and saved link, and so is the token. A saved link's
    /// address and token go together, and who asks for a file wants no server that was not named with it.
    ///
    /// The rules, in their order: release build; preview; unit tests; no address.
    init(url: String?, token: String?, allowRelease: Bool, allowTests: Bool, launch: Launch) {
        let file = launch.environment["STATETAPE_FILE"].nonEmpty
        if let reason = Self.forbidden(allowRelease: allowRelease, allowTests: allowTests || file != nil, launch) {
            self = .off(reason)
            return
        }
        let named = url.nonEmpty ?? launch.environment["STATETAPE_URL"].nonEmpty ?? launch.argument("statetape-url")
        let token =
            token.nonEmpty ?? launch.environment["STATETAPE_TOKEN"].nonEmpty ?? launch.argument("statetape-token")
        var address = named.flatMap { Address($0, token: token) }
        do {
            if named == nil, file == nil, let place = launch.link { address = try ServerLink.read(place)?.address }
        } catch {
            self = .off("the saved link \(launch.link?.path ?? "") can't be read: \(error)", takesLinks: true)
            return
        }
        if let compresses = launch.compresses { address?.compresses = compresses }
        if address != nil || file != nil {
            self = .on(Target(address: address, file: file, spool: address == nil ? nil : launch.spool))
        } else if let named {
            self = .off("the address \"\(named)\" is not a URL of the kind http://host:port/")
        } else {
            let reason = "there is no address (code, STATETAPE_URL, -statetape-url or a saved link)"
            self = .off(reason, takesLinks: true)
        }
    }

    /// Why nothing is recorded in this process, whatever the address.
    private static func forbidden(allowRelease: Bool, allowTests: Bool, _ launch: Launch) -> String? {
        if launch.isRelease, !allowRelease { return "this is a release build, and allowRelease is not set" }
        if launch.isPreview { return "this is a SwiftUI preview" }
        guard launch.isTestHost, !allowTests else { return nil }
        return "unit tests run in this process, and STATETAPE_FILE is not set"
    }
}

extension String? {
    /// Nil also if empty, as an exported variable without a value is.
    fileprivate var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
