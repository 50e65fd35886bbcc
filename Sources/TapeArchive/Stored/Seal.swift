/// Committed lines in their final form: compressed together, with their heads stored separately.
package struct Seal: Sendable {
    package let session: Int64
    package let id: String
    /// The seqs that it covers. A session is sealed in order, without holes.
    package let covers: Range<Int>
    /// `Zstd` frames: the lines, each with a newline, and their `HeadColumns`.
    package let lines: [UInt8]
    package let columns: [UInt8]
    /// New names, numbered in this order from `firstName` on.
    package var names: [String] = []
    /// The number of the first new name.
    package var firstName = 0
    /// The words that find this session in a search: notes, and types that occur for the first time.
    package var words: [String] = []
    package var keyframes: [Keyframe] = []
    /// Lines whose full state was replaced by a patch, so that they are no longer a base.
    package var noBases: [(store: String, seq: Int)] = []

    package init(
        session: Int64, id: String, covers: Range<Int>, lines: [UInt8], columns: [UInt8], names: [String] = [],
        firstName: Int = 0, words: [String] = [], keyframes: [Keyframe] = [], noBases: [(store: String, seq: Int)] = []
    ) {
        (self.session, self.id, self.covers, self.lines, self.columns) = (session, id, covers, lines, columns)
        (self.names, self.firstName, self.words, self.keyframes) = (names, firstName, words, keyframes)
        self.noBases = noBases
    }

    /// A store's state after an event, as a `Zstd` frame of its JSON.
    package struct Keyframe: Sendable {
        package let store: String
        package let seq: Int
        package let state: [UInt8]

        package init(store: String, seq: Int, state: [UInt8]) {
            (self.store, self.seq, self.state) = (store, seq, state)
        }
    }
}
