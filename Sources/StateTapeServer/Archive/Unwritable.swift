/// The archive can't be written at the moment. The data isn't at fault, so the write may be tried again.
struct Unwritable: Error, CustomStringConvertible {
    /// The reason, such as “the disk is full”.
    let description: String
    /// Whether the disk is full.
    var isFull = false
}
