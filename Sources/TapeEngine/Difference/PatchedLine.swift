import Foundation
import TapeFormat

/// The compared members of a line with a patch, found without parsing the line.
struct PatchedLine {
    private var event: Range<Int>?
    private var store: Range<Int>?
    private var action: Range<Int>?
    private var patch: Range<Int>?
    private var error: Range<Int>?

    /// The result for two equal lines.
    struct Match {
        /// The store's name as JSON text; nil if the lines have no member `store`.
        let store: ArraySlice<UInt8>?

        var storeName: String? {
            guard let store else { return "main" }
            return (try? JSON(parsing: store))?.string
        }
    }

    /// Compares two checked lines byte by byte.
    ///
    /// - Returns: Nil if they may differ, or have no patch.
    static func match(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Match? {
        one.withUnsafeBufferPointer { left in
            other.withUnsafeBufferPointer { right in
                guard let members = PatchedLine(left), let others = PatchedLine(right),
                    isSame(members.event, left, others.event, right),
                    isSame(members.store, left, others.store, right),
                    isSame(members.action, left, others.action, right),
                    isSame(members.patch, left, others.patch, right),
                    isSame(members.error, left, others.error, right)
                else { return nil }
                return Match(
                    store: members.store.map {
                        one[one.startIndex + $0.lowerBound..<one.startIndex + $0.upperBound]
                    })
            }
        }
    }

    /// Nil if the line must be parsed.
    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = CheckedText(bytes)
        var event: Range<Int>?, store: Range<Int>?, action: Range<Int>?, patch: Range<Int>?, error: Range<Int>?
        let hasEscapedKey = text.contains(memberOf: 0..<bytes.count) { key, value in
            if text.isSame(key, as: "event") {
                event = value
            } else if text.isSame(key, as: "store") {
                store = value
            } else if text.isSame(key, as: "action") {
                action = value
            } else if text.isSame(key, as: "patch") {
                patch = value
            } else if text.isSame(key, as: "error") {
                error = value
            } else {
                return bytes[key].contains(UInt8(ascii: "\\"))
            }
            return false
        }
        guard !hasEscapedKey, let event, patch != nil,
            text.isSame(event, as: "\"action\"") || text.isSame(event, as: "\"replace\"")
        else {
            return nil
        }
        (self.event, self.store, self.action, self.patch, self.error) = (event, store, action, patch, error)
    }

    private static func isSame(
        _ one: Range<Int>?, _ left: UnsafeBufferPointer<UInt8>, _ other: Range<Int>?,
        _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let one, let other else { return one == other }
        guard one.count == other.count, let left = left.baseAddress, let right = right.baseAddress else {
            return false
        }
        return memcmp(left + one.lowerBound, right + other.lowerBound, one.count) == 0
    }
}
