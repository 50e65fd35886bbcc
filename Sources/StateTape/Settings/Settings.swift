import Foundation
import TapeUplink

/// Whether a recorder records, and where to.
enum Settings: Equatable {
    case on(Target)
    /// With the reason, as the end of "StateTape is off: …".
    ///
    /// - Parameters:
    ///   - takesLinks: Whether only an address is missing.
    ///   - isAsked: Whether an address or a file is set all the same.
    case off(String, takesLinks: Bool = false, isAsked: Bool = true)

    /// At least one of address and file is set.
    struct Target: Equatable {
        var address: Address?
        /// Path of a tape file to write.
        var file: String?
        /// The folder for events that the server does not have yet; nil keeps them in memory.
        var spool: URL?
    }

    /// ``Address/find(url:token:environment:arguments:)`` chooses address and token; a saved link comes last, with its own
    /// token. With `STATETAPE_FILE`, the saved link is ignored.
    ///
    /// The checks, in order: release build; preview; unit tests; no address.
    init(url: String?, token: String?, allowRelease: Bool, allowTests: Bool, launch: Launch) {
        let file = launch.environment["STATETAPE_FILE"].nonEmpty
        let named = Result { () throws(Address.Invalid) in
            try Address.find(
                url: url, token: token, environment: launch.environment, arguments: launch.arguments)
        }
        var address: Address?
        var problem: String?
        switch named {
        case .success(let found): address = found
        case .failure(let invalid): problem = "the address \(invalid)"
        }
        if let reason = Self.forbidden(allowRelease: allowRelease, allowTests: allowTests || file != nil, launch) {
            self = .off(reason, isAsked: address != nil || problem != nil || file != nil)
            return
        }
        do {
            if address == nil, problem == nil, file == nil, let place = launch.link {
                address = try ServerLink.read(place)?.address
            }
        } catch {
            self = .off("the saved link \(launch.link?.path ?? "") can't be read: \(error)", takesLinks: true)
            return
        }
        if let compresses = launch.compresses { address?.compresses = compresses }
        if address != nil || file != nil {
            self = .on(Target(address: address, file: file, spool: address == nil ? nil : launch.spool))
        } else if let problem {
            self = .off(problem)
        } else {
            let reason = "there is no address (code, STATETAPE_URL, -statetape-url or a saved link)"
            self = .off(reason, takesLinks: true, isAsked: false)
        }
    }

    /// Returns why this process may not record, whatever the address.
    private static func forbidden(allowRelease: Bool, allowTests: Bool, _ launch: Launch) -> String? {
        if launch.isRelease, !allowRelease { return "this is a release build, and allowRelease is not set" }
        if launch.isPreview { return "this is a SwiftUI preview" }
        guard launch.isTestHost, !allowTests else { return nil }
        return "unit tests run in this process, and STATETAPE_FILE is not set"
    }
}
