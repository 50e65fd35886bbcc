#if Server
    import Foundation

    /// An error message for standard error; the command exits with code 1.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// What to do, as a sentence, for the commands that print it.
        let remedy: String?
        /// The code of the server's answer, such as `session-absent`.
        let code: String?

        init(_ description: String, remedy: String? = nil, code: String? = nil) {
            self.description = description
            self.remedy = remedy
            self.code = code
        }
    }

    extension String {
        /// With a capital letter and a full stop.
        var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
    }

    extension Error {
        /// The error's message; for a POSIX error the system's text, because Foundation gives only a number.
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
