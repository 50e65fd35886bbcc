import TapeFormat

/// The input has three lines: a value, a patch, and another value.
///
/// A patch gives a value within the format's depth, or fails and leaves the value unchanged. The patch between two
/// values leads from the first to the second.
func fuzzPatch(_ bytes: [UInt8]) {
    let maxSize = 1 << 20
    let lines = bytes.lines
    guard let first = lines.first, let old = try? JSON(parsing: first) else { return }
    if lines.count > 1, let json = try? JSON(parsing: lines[1]), let patch = try? Patch(json) {
        require((try? Patch(patch.json)) == patch, "the patch differs after writing")
        var value = old
        do throws(Patch.Failure) {
            try patch.apply(to: &value, maxSize: maxSize)
            let text = value.bytes
            // Sizes are counted without escapes.
            require(text.count <= 6 * maxSize, "the patched value is larger than the limit")
            require((try? JSON(parsing: text)) == value, "the patched value is deeper than the format allows")
        } catch {
            require(value == old, "a failed patch changed the value")
        }
    }
    if lines.count > 2, let new = try? JSON(parsing: lines[2]) {
        let patch = Patch.between(old, new)
        require((try? patch.applied(to: old)) == new, "the patch between two values doesn't lead to the second")
        require(patch.isEmpty == (old == new), "the patch must be empty if and only if the values are equal")
        require((try? Patch(patch.json)) == patch, "the patch between two values can't be parsed")
    }
}
