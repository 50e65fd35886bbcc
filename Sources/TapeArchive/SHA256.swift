import CCrypto
import Foundation

/// SHA-256, for keys, tokens and file names.
package enum SHA256 {
    /// The digest of the text's UTF-8, 32 bytes.
    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }

    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil)
        // This only fails without memory. A digest of zeros would match every session.
        precondition(isDone == 1, "libcrypto has no SHA-256")
        return digest
    }

    /// Compares two digests in constant time.
    package static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }

    /// The digest as 64 hexadecimal digits.
    package static func hex(_ text: String) -> String { hex(Array(text.utf8)) }

    package static func hex(_ message: [UInt8]) -> String {
        hash(message).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The digest in base64, as a content security policy lists it.
    package static func base64(_ text: String) -> String { Data(hash(text)).base64EncodedString() }

    /// The session id for a file of another format. The same bytes give the same id.
    package static func sessionID(_ format: String, of file: [UInt8]) -> String {
        "\(format)-\(hex(file).prefix(32))"
    }
}
