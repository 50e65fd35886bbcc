/// Committed lines in their final form: compressed together, with their heads stored separately.
struct Seal: Sendable {
    let session: Int64
    let id: String
    /// The seqs that it covers. A session is sealed in order, without holes.
    let covers: Range<Int>
    /// `Zstd` frames: the lines, each with a newline, and their `HeadColumns`.
    let lines: [UInt8]
    let columns: [UInt8]
    /// New names, numbered in this order from `firstName` on.
    var names: [String] = []
    /// The number of the first new name.
    var firstName = 0
    /// The words that find this session in a search: notes, and types that occur for the first time.
    var words: [String] = []
    var keyframes: [Keyframe] = []
    /// Lines whose full state was replaced by a patch, so that they are no longer a base.
    var noBases: [(store: String, seq: Int)] = []

    /// A store's state after an event, as a `Zstd` frame of its JSON.
    struct Keyframe: Sendable {
        let store: String
        let seq: Int
        let state: [UInt8]
    }
}
