import Foundation

extension Error {
    /// The error's message. For what the system refuses the system's text, without the numbers and members of Foundation.
    package var systemReason: String {
        let error = self as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        for error in [error, underlying].compactMap({ $0 }) where error.domain == NSPOSIXErrorDomain {
            return String(cString: strerror(Int32(truncatingIfNeeded: error.code)))
        }
        guard error.domain == NSCocoaErrorDomain else { return "\(self)" }
        // Foundation has no words for it, as where a part of the path is a file.
        return error.code == CocoaError.fileWriteUnknown.rawValue
            ? "It can't be written. Check that each part of the path is a folder." : error.localizedDescription
    }

    /// The same with the file's path; nil for an error that isn't Foundation's or the system's.
    package var foundationReason: String? {
        let error = self as NSError
        guard [NSCocoaErrorDomain, NSPOSIXErrorDomain].contains(error.domain) else { return nil }
        let path = error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        return (path.map { "\($0): " } ?? "") + systemReason
    }
}
