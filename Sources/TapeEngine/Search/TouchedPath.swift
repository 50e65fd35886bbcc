package import TapeFormat

/// A place in the state. An event touched it if its patch names it, or a place above or below it; a full state touches
/// every place.
package struct TouchedPath: Sendable {
    private let path: [UInt8]

    /// - Throws: `FormatError` if it is no JSON pointer.
    package init(_ text: String) throws {
        path = Array(try Pointer(parsing: text).description.utf8)
    }

    /// Whether an event touched it; nil if its head doesn't tell.
    package func isMet(by head: Head) -> Bool? {
        if head.state != nil { return true }
        guard head.patch != nil else { return false }
        var (count, hasMoves, isMet) = (0, false, false)
        head.rest.withUnsafeBufferPointer { bytes in
            let text = CheckedText(bytes)
            // Nearly all are told without building a value.
            _ = text.contains(memberOf: 0..<bytes.count) { name, value in
                if text.isSame(name, as: "moves") { hasMoves = true }
                guard text.isSame(name, as: "paths") else { return false }
                return text.contains(elementOf: value) { place in
                    count += 1
                    isMet = isMet || isOnTheWay(string: UnsafeBufferPointer(rebasing: bytes[place]))
                    return isMet
                }
            }
        }
        return isMet ? true : head.operations == count && !hasMoves ? false : nil
    }

    /// The places that a line's patch names; nil for a full state, which touches every place.
    package static func places(in line: EventLine) -> [[UInt8]]? {
        if line.raw("state") != nil { return nil }
        return (line["patch"]?.array ?? []).flatMap { operation in
            ["path", "from"].compactMap { operation[$0]?.string.map { Array($0.utf8) } }
        }
    }

    /// - Parameter places: What ``places(in:)`` has told of an event's line.
    package func isMet(by places: [[UInt8]]?) -> Bool {
        places?.contains { isOnTheWay($0) } ?? true
    }

    /// - Parameter string: As JSON text.
    private func isOnTheWay(string: UnsafeBufferPointer<UInt8>) -> Bool {
        if string.contains(UInt8(ascii: "\\")) {
            return (try? JSON(parsing: string))?.string.map { isOnTheWay(Array($0.utf8)) } ?? false
        }
        return isOnTheWay(string.dropFirst().dropLast())
    }

    /// Whether one place is the other, or inside it.
    private func isOnTheWay(_ other: some RandomAccessCollection<UInt8>) -> Bool {
        guard path.count < other.count else {
            return path.starts(with: other) && (path.count == other.count || path[other.count] == UInt8(ascii: "/"))
        }
        return other.starts(with: path) && other.dropFirst(path.count).first == UInt8(ascii: "/")
    }
}
