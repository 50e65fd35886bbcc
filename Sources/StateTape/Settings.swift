import Foundation

/// Whether a recorder records, and to where.
enum Settings: Equatable {
    case on(Target)
    /// With the reason, as the end of "StateTape is off: …".
    case off(String)

    /// At least one of the two is there.
    struct Target: Equatable {
        var address: Address?
        /// Path of a tape file to write.
        var file: String?
        /// The folder for what the server does not have yet; nil keeps that in memory.
        var spool: URL?
    }

    /// The rules, in their order: no address; release build; preview; unit tests.
    init(url: String?, token: String?, allowRelease: Bool, allowTests: Bool, launch: Launch) {
        let file = launch.environment["STATETAPE_FILE"].nonEmpty
        let text = url.nonEmpty ?? launch.environment["STATETAPE_URL"].nonEmpty ?? launch.argument("statetape-url")
        if text == nil, file == nil {
            self = .off("there is no address (code, STATETAPE_URL or -statetape-url)")
        } else if launch.isRelease, !allowRelease {
            self = .off("this is a release build, and allowRelease is not set")
        } else if launch.isPreview {
            self = .off("this is a SwiftUI preview")
        } else if launch.isTestHost, !allowTests, file == nil {
            self = .off("unit tests run in this process, and STATETAPE_FILE is not set")
        } else {
            let address = text.flatMap {
                Address($0, token: token.nonEmpty ?? launch.environment["STATETAPE_TOKEN"].nonEmpty)
            }
            if address == nil, file == nil {
                self = .off("the address \"\(text ?? "")\" is not a URL of the kind http://host:port/")
            } else {
                self = .on(Target(address: address, file: file, spool: address == nil ? nil : launch.spool))
            }
        }
    }
}

extension String? {
    /// Nil also if empty, as an exported variable without a value is.
    fileprivate var nonEmpty: String? { self?.isEmpty == false ? self : nil }
}
