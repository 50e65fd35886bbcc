package import TapeFormat

/// Stands on the tape for an action's payload that is too long for a line: `{"$long":BYTES}`.
package enum LeftOut {
    static let name = "$long"

    /// The record of an action without its payload.
    ///
    /// - Parameter record: The text of the action's type and payload.
    package static func record(of record: [UInt8]) -> [UInt8] {
        let payload = JSON.object(JSON.Object([(name, .number(JSON.Number(record.count)))]))
        return JSON.object(JSON.Object([("type", .string(type(of: record))), ("payload", payload)])).bytes
    }

    /// The type in the record of an action, which is its first member.
    package static func type(of record: [UInt8]) -> String {
        let start = Array(#"{"type":"#.utf8)
        guard record.starts(with: start) else { return "" }
        var end = start.count + 1
        while end < record.count, record[end] != UInt8(ascii: "\"") {
            end += record[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return end < record.count ? (try? JSON(parsing: record[start.count...end]))?.string ?? "" : ""
    }

    /// The length of the payload that is missing in a recorded action, in bytes; nil if it is there.
    package static func bytes(in action: JSON) -> Int? {
        guard let payload = action["payload"]?.object, payload.count == 1 else { return nil }
        return payload[name]?.int
    }
}
