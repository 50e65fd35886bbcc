/// The name of a session: 48 bits of milliseconds since 1970 and 80 random ones, in Crockford's base 32, so that names
/// sort by time (github.com/ulid/spec).
package enum ULID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    package static func make(milliseconds: UInt64) -> String {
        let time = (0..<10).map { digit in alphabet[Int(milliseconds >> UInt64(5 * (9 - digit)) & 31)] }
        let random = (0..<16).map { _ in alphabet[Int.random(in: 0..<32)] }
        return String(time + random)
    }
}
