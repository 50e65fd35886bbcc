#if Server
    /// What a token lets its holder do.
    package enum Role: String, Sendable, CaseIterable {
        /// Record, and upload tapes.
        case app
        /// Read and watch.
        case view
        /// Everything.
        case control

        func includes(_ needed: Role) -> Bool {
            self == .control || self == needed
        }

        /// Why a token of this role does not do.
        func refusal(needing needed: Role) -> String {
            let roles = needed == .control ? "“control”" : "“\(needed.rawValue)” or “control”"
            return "This needs a token of the role \(roles); yours has “\(rawValue)”."
        }
    }
#endif
