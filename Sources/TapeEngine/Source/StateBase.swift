package import TapeFormat

/// A line that sets or clears what the next patch of a store is relative to.
package struct StateBase: Sendable, Equatable {
    package enum Kind: Int, Sendable {
        case state, detach, gap, broken
        /// The state after the line is kept beside it.
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
    /// How the line sets or clears its store's base; nil if it leaves it as it is.
    package var base: StateBase.Kind? {
        switch kind {
        case .gap: .gap
        case .detach: .detach
        case .`init`: .state
        default: raw("state") == nil ? nil : .state
        }
    }
}
