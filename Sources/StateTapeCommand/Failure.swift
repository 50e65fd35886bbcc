#if Server
    /// What went wrong, in one sentence for standard error; the exit code is 1.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
#endif
