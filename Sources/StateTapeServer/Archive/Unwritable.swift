#if Server
    /// Nothing can be written for now, whatever it is: what was to be kept isn't at fault, and may be tried again.
    struct Unwritable: Error, CustomStringConvertible {
        /// The reason, such as “the disk is full”.
        let description: String
        /// The disk has no room.
        var isFull = false
    }
#endif
