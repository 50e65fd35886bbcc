import Foundation

extension String {
    /// The text as one word of a command that a message proposes: whoever copies it must not run what a file's name says.
    ///
    /// Quoted only where a shell needs it, in single quotes. What ``onOneLine`` would escape is written in octal, in the
    /// quotes `$'…'` of POSIX, so that the copied word still names the file.
    package var shellWord: String {
        if unicodeScalars.allSatisfy(\.isPlainInShell), !isEmpty { return self }
        guard onOneLine == self else {
            let bytes = utf8.map { byte in
                switch byte {
                case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
                case 0x20..<0x7f: String(UnicodeScalar(byte))
                default: String(format: "\\%03o", byte)
                }
            }
            return "$'\(bytes.joined())'"
        }
        return "'" + replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }

    /// Like ``shellWord``, for a file's path, which no command takes for one of its options.
    package var shellPath: String { (hasPrefix("-") && self != "-" ? "./" + self : self).shellWord }
}

extension Unicode.Scalar {
    fileprivate var isPlainInShell: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", ",", ":", "@", "%": true
        default: false
        }
    }
}
