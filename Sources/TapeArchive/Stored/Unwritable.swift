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

extension Unwritable {
    /// Whether an error is the archive's, and may pass: not one of what it stores.
    package static func isTemporary(_ error: any Error) -> Bool {
        error is Unwritable || (error as? any ArchiveError)?.isDamage == false
    }

    /// Why the archive can't be used at the moment; nil if that isn't the cause of an error.
    package static func outage(_ error: any Error) -> String? {
        (error as? Unwritable)?.description ?? (error as? any ArchiveError)?.outage
    }
}
