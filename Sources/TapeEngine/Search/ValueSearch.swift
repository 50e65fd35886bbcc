import Foundation
package import TapeFormat

/// Finds a text as a whole string, number or key in a line's action, patch or state.
package struct ValueSearch: Sendable {
    private let text: String
    /// The text between the quotes of a JSON string, as most encoders write it.
    private let utf8: [UInt8]
    private let number: JSON.Number?
    /// A part of the text, or its digits, that any matching line contains; nil if there is none.
    private let part: [UInt8]?
    private let digits: DigitSearch?

    package init(_ text: String) {
        self.text = text
        utf8 = Array(text.utf8)
        number = JSON.Number(text)
        digits = number.map(DigitSearch.init)
        // JSON and JSON pointers escape these characters.
        let parts = text.split { "/~\"\\".contains($0) }
        part = number == nil ? parts.max { $0.utf8.count < $1.utf8.count }.map { Array($0.utf8) } : nil
    }

    /// Whether the bytes of lines may contain the value.
    package func mayBeFound(inLines lines: ArraySlice<UInt8>) -> Bool {
        if part.map(lines.contains(text:)) ?? digits?.mayBeFound(in: lines) ?? true { return true }
        // Escapes allow many spellings of one text.
        return lines.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), bytes.count) != nil } ?? false
        }
    }

    package func isFound(in line: EventLine) -> Bool {
        if let state = line.raw("state"), mayBeFound(in: state) { return true }
        // Only the values of these members count, not the format's own keys.
        if let action = line.raw("action"), mayBeFound(in: action), let action = try? JSON(parsing: action) {
            if action["type"].map(isFound) ?? false || action["payload"].map(isFound) ?? false { return true }
        }
        if let patch = line.raw("patch"), let operations = try? JSON(parsing: patch).array {
            return operations.contains(where: isTouched)
        }
        return false
    }

    private func isTouched(_ operation: JSON) -> Bool {
        if operation["value"].map(isFound) ?? false || operation["insert"]?.string.map(isSame) ?? false {
            return true
        }
        return ["path", "from"].contains { member in
            guard let path = operation[member]?.string, let pointer = try? Pointer(parsing: path) else {
                return false
            }
            return pointer.tokens.contains(where: isSame)
        }
    }

    private func isFound(in json: JSON) -> Bool {
        switch json {
        case .string(let text): isSame(text)
        case .number(let number): number == self.number
        case .array(let elements): elements.contains(where: isFound)
        case .object(let object): object.contains { isSame($0.key) || isFound(in: $0.value) }
        case .null, .bool: false
        }
    }

    private func isSame(_ other: String) -> Bool { other.hasSameUTF8(as: text) }

    /// Whether checked JSON text has an equal string, key or number.
    private func mayBeFound(in json: ArraySlice<UInt8>) -> Bool {
        json.withUnsafeBufferPointer { bytes in
            CheckedText(bytes).contains(scalarIn: 0..<bytes.count) { place in
                let scalar = bytes[place]
                guard scalar.first == UInt8(ascii: "\"") else {
                    return number != nil && JSON.Number(String(decoding: scalar, as: UTF8.self)) == number
                }
                if scalar.contains(UInt8(ascii: "\\")) {
                    return (try? JSON(parsing: UnsafeBufferPointer(rebasing: scalar)))?.string.map(isSame) ?? false
                }
                return scalar.count - 2 == utf8.count && scalar.dropFirst().dropLast().elementsEqual(utf8)
            }
        }
    }
}
