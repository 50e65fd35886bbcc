import Foundation
package import TapeFormat

/// Finds a value in a line's action, patch or state: a string that contains a text, or a key, number, `true`, `false` or
/// `null` that equals it. A text in quotes is a whole string or key.
package struct ValueSearch: Sendable {
    private let text: String
    /// Whether only the same string is meant, as JSON with its quotes.
    private let isExact: Bool
    private let folded: FoldedText
    private let number: JSON.Number?
    private let literal: JSON?
    /// A part of the text, or its digits, that any matching line contains; nil if there is none.
    private let part: FoldedText?
    private let digits: DigitSearch?

    package init(_ given: String) {
        let quoted = given.hasPrefix("\"") ? (try? JSON(parsing: Array(given.utf8)))?.string : nil
        let text = quoted ?? given
        self.text = text
        isExact = quoted != nil
        folded = FoldedText(text)
        number = isExact ? nil : JSON.Number(text)
        let literals: [String: JSON] = ["true": true, "false": false, "null": .null]
        literal = isExact ? nil : literals[text]
        digits = number.map(DigitSearch.init)
        // JSON and JSON pointers escape these characters.
        let parts = text.split { "/~\"\\".contains($0) || $0.unicodeScalars.contains { $0.value < 0x20 } }
        part = number == nil ? parts.max { $0.utf8.count < $1.utf8.count }.map { FoldedText(String($0)) } : nil
    }

    /// Whether the bytes of lines may contain the value.
    ///
    /// - Parameter folded: The same bytes with ASCII letters in lower case.
    package func mayBeFound(inLines lines: ArraySlice<UInt8>, folded: ArraySlice<UInt8>) -> Bool {
        if part?.isFound(inFolded: folded) ?? digits?.mayBeFound(in: lines) ?? true { return true }
        // Escapes allow many spellings of one text.
        return lines.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), bytes.count) != nil } ?? false
        }
    }

    package func isFound(in line: EventLine) -> Bool {
        // Only the values of these members count, not the format's own keys.
        if let state = line.raw("state"), isFound(inText: state) { return true }
        if let action = line.raw("action"), isFound(inText: action), let action = try? JSON(parsing: action) {
            if action["type"].map(isFound) ?? false || action["payload"].map(isFound) ?? false { return true }
        }
        if let patch = line.raw("patch"), let operations = try? JSON(parsing: patch).array {
            return operations.contains(where: isTouched)
        }
        return false
    }

    private func isTouched(_ operation: JSON) -> Bool {
        if operation["value"].map(isFound) ?? false || operation["insert"]?.string.map(isContained) ?? false {
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
        case .string(let text): isContained(text)
        case .number(let number): number == self.number
        case .array(let elements): elements.contains(where: isFound)
        case .object(let object): object.contains { isSame($0.key) || isFound(in: $0.value) }
        case .null, .bool: json == literal
        }
    }

    /// Whether a string has the text. A number is a whole one: its digits stand in many an id.
    private func isContained(_ other: String) -> Bool {
        isExact || number != nil ? isSame(other) : folded.isFound(inFolded: Array(other.utf8)[...].folded[...])
    }

    private func isSame(_ other: String) -> Bool {
        isExact ? other.hasSameUTF8(as: text) : folded.isSame(asFolded: Array(other.utf8)[...].folded[...])
    }

    /// Whether checked JSON text has the value. States are long, so it isn't parsed.
    private func isFound(inText json: ArraySlice<UInt8>) -> Bool {
        let folded = json.folded
        return json.withUnsafeBufferPointer { bytes in
            CheckedText(bytes).contains(scalarIn: 0..<bytes.count) { place in
                let scalar = bytes[place]
                guard scalar.first == UInt8(ascii: "\"") else {
                    guard number != nil || literal != nil else { return false }
                    return (try? JSON(parsing: UnsafeBufferPointer(rebasing: scalar))).map(isFound) ?? false
                }
                let isKey = bytes[place.upperBound...].first { $0 > 0x20 } == UInt8(ascii: ":")
                if isExact || scalar.contains(UInt8(ascii: "\\")) {
                    let text = (try? JSON(parsing: UnsafeBufferPointer(rebasing: scalar)))?.string
                    return text.map(isKey ? isSame : isContained) ?? false
                }
                let content = folded[place].dropFirst().dropLast()
                return isKey || number != nil
                    ? self.folded.isSame(asFolded: content) : self.folded.isFound(inFolded: content)
            }
        }
    }
}
