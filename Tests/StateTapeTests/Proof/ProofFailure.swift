import TapeFormat

/// Two trees that should be the same.
struct Mismatch: Error, CustomStringConvertible {
    let what: String
    let expected: JSON
    let got: JSON

    var description: String {
        "\(what) is wrong by \(Patch.between(expected, got).json.text.prefix(1_000))"
    }
}

/// A failed case, with everything to reproduce it.
struct ProofFailure: CustomStringConvertible {
    let seed: UInt64
    let type: String
    var patterns = SlicePatterns()
    var step = 0
    var old = JSON.null
    var new = JSON.null
    var patch = ""
    var error = ""
    /// Whether two trees differ; otherwise an error was thrown.
    var isMismatch = false

    init(seed: UInt64, type: String) {
        self.seed = seed
        self.type = type
    }

    var size: Int { type.count + old.text.count + new.text.count }

    var description: String {
        """
        \(error)
          with STATETAPE_SEED=\(seed), step \(step)
          type   \(type)
          slice  \(patterns)
          old    \(short(old.text))
          new    \(short(new.text))
          patch  \(short(patch))
        """
    }

    private func short(_ text: String) -> String { text.count < 4_000 ? text : text.prefix(4_000) + "…" }
}
