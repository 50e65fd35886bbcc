package import TapeFormat

/// Finds events that may have changed a path of the state. A patch touches its paths, and all paths above and below them;
/// a full state touches all paths. `*` in the path stands for any index or key.
package struct TouchedPath: Sendable {
    private let path: [UInt8]
    /// The parts between the slashes, if one is `*`.
    private let steps: [ArraySlice<UInt8>]

    /// - Throws: `FormatError` if the text isn't a JSON pointer.
    package init(_ text: String) throws {
        path = Array(try Pointer(parsing: text).description.utf8)
        let steps = Self.steps(of: path)
        self.steps = steps.contains(where: Self.isAny) ? steps : []
    }

    private static func isAny(_ step: ArraySlice<UInt8>) -> Bool { step.elementsEqual([UInt8(ascii: "*")]) }

    private static func steps(of path: some Sequence<UInt8>) -> [ArraySlice<UInt8>] {
        Array(Array(path).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst())
    }

    /// Whether an event touched the path; nil if its head doesn't decide.
    package func isMet(by head: EventHead) -> Bool? {
        if head.state != nil { return true }
        guard head.patch != nil else { return false }
        var (count, hasMoves, isMet) = (0, false, false)
        head.rest.withUnsafeBufferPointer { bytes in
            let text = CheckedText(bytes)
            // Compares the text, because parsing values is slow.
            _ = text.contains(memberOf: 0..<bytes.count) { name, value in
                if text.isSame(name, as: "moves") { hasMoves = true }
                guard text.isSame(name, as: "paths") else { return false }
                return text.contains(elementOf: value) { place in
                    count += 1
                    isMet = isMet || overlaps(string: UnsafeBufferPointer(rebasing: bytes[place]))
                    return isMet
                }
            }
        }
        return isMet ? true : head.operations == count && !hasMoves ? false : nil
    }

    /// The paths of a line's patch; nil for a full state, which touches all paths.
    package static func places(in line: EventLine) -> [[UInt8]]? {
        if line.raw("state") != nil { return nil }
        return (line["patch"]?.array ?? []).flatMap { operation in
            ["path", "from"].compactMap { operation[$0]?.string.map { Array($0.utf8) } }
        }
    }

    /// - Parameter places: The result of ``places(in:)`` for an event's line.
    package func isMet(by places: [[UInt8]]?) -> Bool {
        places?.contains { overlaps($0) } ?? true
    }

    /// - Parameter string: A path as JSON text.
    private func overlaps(string: UnsafeBufferPointer<UInt8>) -> Bool {
        if string.contains(UInt8(ascii: "\\")) {
            return (try? JSON(parsing: string))?.string.map { overlaps(Array($0.utf8)) } ?? false
        }
        return overlaps(string.dropFirst().dropLast())
    }

    /// Whether one path equals or contains the other.
    private func overlaps(_ other: some RandomAccessCollection<UInt8>) -> Bool {
        guard steps.isEmpty else { return zip(steps, Self.steps(of: other)).allSatisfy { Self.isAny($0) || $0 == $1 } }
        guard path.count < other.count else {
            return path.starts(with: other) && (path.count == other.count || path[other.count] == UInt8(ascii: "/"))
        }
        return other.starts(with: path) && other.dropFirst(path.count).first == UInt8(ascii: "/")
    }
}
