package import TapeEngine

/// Unsealed batches of a session, without holes.
package struct FreshLines: Sendable {
    package var batches: [LineBatch] = []
    package var hasMore = false

    package init(batches: [LineBatch] = [], hasMore: Bool = false) {
        (self.batches, self.hasMore) = (batches, hasMore)
    }
}
