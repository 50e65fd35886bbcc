#if Server
    /// Lines that are committed, in the form in which they stay: compressed together, their heads apart.
    struct Seal: Sendable {
        let session: Int64
        let id: String
        /// The seqs that it covers; nothing of a session is sealed before what comes ahead of it.
        let covers: Range<Int>
        /// `Zstd` frames of the lines, newline after each, and of their `HeadColumns`.
        let lines: [UInt8]
        let columns: [UInt8]
        /// Names that have numbers from here on, in the order of these.
        var names: [String] = []
        /// The number of the first of them.
        var firstName = 0
        /// What the session can be found by: types that occur for the first time, and notes.
        var words: [String] = []
        var keyframes: [Keyframe] = []
        /// Lines whose full state was replaced by a patch: no base any more.
        var noBases: [(store: String, seq: Int)] = []

        /// The state of a store after an event, as a `Zstd` frame of its JSON.
        struct Keyframe: Sendable {
            let store: String
            let seq: Int
            let state: [UInt8]
        }
    }
#endif
