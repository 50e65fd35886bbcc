#if Server
    import Foundation

    /// What went wrong, in one sentence for standard error; the exit code is 1.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    extension Error {
        /// What went wrong, in words of the system where Foundation has only a number.
        var reason: String {
            let error = self as NSError
            let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
            for error in [error, underlying].compactMap({ $0 }) where error.domain == NSPOSIXErrorDomain {
                return String(cString: strerror(Int32(truncatingIfNeeded: error.code)))
            }
            return error.domain == NSCocoaErrorDomain ? error.localizedDescription : "\(self)"
        }
    }
#endif
