package import TapeFormat

/// A line that sets or clears the base state for the next patch of a store.
package struct StateBase: Sendable, Equatable {
    package enum Kind: Int, Sendable {
        case state, detach, gap, broken
        /// The tape stores the state after the line separately.
        case keyframe
    }

    package let seq: Int
    package let kind: Kind

    package init(seq: Int, kind: Kind) {
        self.seq = seq
        self.kind = kind
    }
}

extension EventLine {
    /// How the line sets or clears its store's base; nil if it doesn't.
    package var base: StateBase.Kind? {
        switch kind {
        case .gap: .gap
        case .detach: .detach
        case .`init`: .state
        default: raw("state") == nil ? nil : .state
        }
    }
}
