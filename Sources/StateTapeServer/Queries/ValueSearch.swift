#if Server
    import Foundation
    import TapeFormat

    /// A text to find as a whole string, number or key inside a line's action, patch or state.
    struct ValueSearch: Sendable {
        private let text: String
        /// The text as JSON writes it between quotes, as most writers do.
        private let utf8: [UInt8]
        private let number: JSON.Number?
        /// Finds a part of the text that any line with it has, or its digits; nil where there is no such part.
        private let search: TextSearch?
        private let digits: DigitSearch?

        init(_ text: String) {
            self.text = text
            utf8 = Array(text.utf8)
            number = JSON.Number(text)
            digits = number.map(DigitSearch.init)
            // In a pointer and in JSON some characters are written otherwise.
            let parts = text.split { "/~\"\\".contains($0) }
            search = number == nil ? parts.max { $0.utf8.count < $1.utf8.count }.map { TextSearch(String($0)) } : nil
        }

        /// Whether the value may be in lines, by their bytes alone.
        func mayBeFound(inLines lines: ArraySlice<UInt8>) -> Bool {
            if search?.isFound(in: lines) ?? digits?.mayBeFound(in: lines) ?? true { return true }
            // With escapes a text can be written in many ways.
            return lines.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), bytes.count) != nil } ?? false
            }
        }

        func isFound(in line: EventLine) -> Bool {
            if let state = line.raw("state"), mayBeFound(in: state) { return true }
            // What the format itself writes there is no value.
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

        /// Whether any string, key or number in JSON text, which was checked, is the one.
        private func mayBeFound(in json: ArraySlice<UInt8>) -> Bool {
            json.withUnsafeBufferPointer { bytes in
                var index = 0
                while index < bytes.count {
                    let start = index
                    index += 1
                    switch bytes[start] {
                    case UInt8(ascii: "\""):
                        var hasEscapes = false
                        while bytes[index] != UInt8(ascii: "\"") {
                            if bytes[index] == UInt8(ascii: "\\") {
                                hasEscapes = true
                                index += 1
                            }
                            index += 1
                        }
                        index += 1
                        if hasEscapes {
                            if let text = try? JSON(parsing: bytes[start..<index]).string, isSame(text) { return true }
                        } else if index - start - 2 == utf8.count, bytes[start + 1..<index - 1].elementsEqual(utf8) {
                            return true
                        }
                    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                        while index < bytes.count, Self.isOfNumber(bytes[index]) { index += 1 }
                        if let number, JSON.Number(String(decoding: bytes[start..<index], as: UTF8.self)) == number {
                            return true
                        }
                    default: break
                    }
                }
                return false
            }
        }

        private static func isOfNumber(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
#endif
