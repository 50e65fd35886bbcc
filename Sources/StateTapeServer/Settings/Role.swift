/// The role that a token gives.
package enum Role: String, Sendable, CaseIterable {
    /// Record, and upload tapes.
    case app
    /// View sessions.
    case view
    /// Do everything.
    case control

    func includes(_ needed: Role) -> Bool {
        self == .control || self == needed
    }

    /// Why a token of this role is not sufficient.
    func refusal(needing needed: Role) -> String {
        let roles = needed == .control ? "“control”" : "“\(needed.rawValue)” or “control”"
        return "This needs a token of the role \(roles); yours has “\(rawValue)”."
    }
}
