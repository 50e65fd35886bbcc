/// The archive can't be written at the moment. The data isn't at fault, so the write may be tried again.
package struct Unwritable: Error, CustomStringConvertible {
    /// The reason, such as “the disk is full”.
    package let description: String
    /// Whether the disk is full.
    package var isFull = false

    package init(description: String, isFull: Bool = false) {
        (self.description, self.isFull) = (description, isFull)
    }
}
