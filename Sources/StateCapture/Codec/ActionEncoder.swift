import Foundation
import TapeFormat

/// Encodes an action's type and payload as JSON text; used by one thread at a time.
///
/// Finding the type takes several times as long as encoding a short action. But the encoded text begins in the same way
/// for each action of a case. So the encoder reuses what ``ActionName`` made of such a beginning.
package final class ActionEncoder {
    private struct Known {
        let type: ObjectIdentifier
        let head: [UInt8]
        /// How many of the text's apparent cases are real cases.
        let cases: Int
        /// The record up to its payload.
        let record: [UInt8]
    }

    /// The maximum number of known beginnings: names may be made from the actions' values, without end.
    private static let maxKnown = 256

    package let encoder: DirectEncoder
    /// The output.
    package let buffer = ByteBuffer()
    private let text = ByteBuffer()
    private var known: [Int: Known] = [:]

    package init(_ redactor: Redactor) {
        encoder = DirectEncoder(redactor)
    }

    /// Appends an action's record, made by ``ActionName``, as text.
    ///
    /// - Parameter names: The same for all actions of one encoder.
    /// - Throws: Errors from encoding.
    func write<Action: Encodable>(_ action: Action, _ names: ActionNames?) throws {
        text.clear()
        try encoder.encode(action: action, to: text)
        let type = ObjectIdentifier(Swift.type(of: action))
        let shape = text.withBytes(0..<text.count) { ActionShape($0) }
        let key = key(of: type, shape)
        if let known = known[key], known.type == type, begins(with: known.head, shape) {
            return write(known.record, payload: shape.payload(known.cases))
        }
        let tree = try JSON(parsing: text.bytes)
        let made = ActionName.record(of: action, tree: tree, names, encoder.redactor)
        let record = made.json
        buffer.append(record.bytes)
        guard known.count < Self.maxKnown, made.isTypical, let name = record["type"] else { return }
        // An enum with a custom encoding may have any case behind one beginning.
        for cases in (ActionName.isEnum(Action.self) ? 1 : 0)..<max(shape.cases + 1, 1)
        where payload(shape.payload(cases)) == record["payload"]?.bytes && record["payload"]?.isRedacted != true {
            known[key] = Known(
                type: type, head: text.withBytes(shape.head) { [UInt8]($0) }, cases: cases,
                record: Array("{\"type\":".utf8) + name.bytes)
        }
    }

    private func begins(with head: [UInt8], _ shape: ActionShape) -> Bool {
        text.withBytes(shape.head) { $0.isEqual(to: head) }
    }

    private func write(_ record: [UInt8], payload: Range<Int>) {
        buffer.append(record)
        if !isEmptyObject(payload) {
            buffer.append(",\"payload\":")
            text.withBytes(payload) { buffer.append($0) }
        }
        buffer.append(UInt8(ascii: "}"))
    }

    /// The payload's text; nil for an empty object.
    private func payload(_ range: Range<Int>) -> [UInt8]? {
        isEmptyObject(range) ? nil : text.withBytes(range) { [UInt8]($0) }
    }

    /// Whether the text is `{}`, the one payload that a record leaves out.
    private func isEmptyObject(_ range: Range<Int>) -> Bool {
        range.count == 2 && text.withBytes(range) { $0[0] == UInt8(ascii: "{") }
    }

    private func key(of type: ObjectIdentifier, _ shape: ActionShape) -> Int {
        var hasher = Hasher()
        hasher.combine(type)
        text.withBytes(shape.head) { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// The shape of an encoded action: `{"todos":{"_0":{"add":{…}}}}` has two cases, one inside the other, if both types
/// are enums.
struct ActionShape {
    /// The maximum number of cases to look for.
    private static let maxCases = 7

    /// How many cases the text seems to have.
    private(set) var cases = 0
    /// Where the payloads begin: that of the whole text and that of each case. An array would need an allocation.
    private var starts = SIMD8<Int>.zero
    private let count: Int

    init(_ text: UnsafeRawBufferPointer) {
        count = text.count
        while cases < Self.maxCases, let start = Self.start(ofCaseIn: text, from: starts[cases], isOuter: cases == 0) {
            cases += 1
            starts[cases] = start
        }
        // Each case must be the only member of its object.
        while cases > 0, !Self.isWhole(text, payload(cases)) { cases -= 1 }
    }

    /// The text before the innermost payload.
    var head: Range<Int> { 0..<starts[cases] }

    /// The payload if this many of the cases are real.
    func payload(_ cases: Int) -> Range<Int> {
        starts[cases]..<max(starts[cases], count - max(0, 2 * cases - 1))
    }

    /// Where the value begins in `{"name":{`, or inside of a case in `{"_0":{"name":{`.
    private static func start(ofCaseIn text: UnsafeRawBufferPointer, from start: Int, isOuter: Bool) -> Int? {
        var index = start
        func skip(_ expected: StaticString) -> Bool {
            let end = index + expected.utf8CodeUnitCount
            guard end <= text.count, let base = text.baseAddress,
                memcmp(base + index, expected.utf8Start, end - index) == 0
            else { return false }
            index = end
            return true
        }
        guard isOuter || skip("{\"_0\":"), skip("{\"") else { return nil }
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            guard text[index] != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        guard skip("\":"), index < text.count, text[index] == UInt8(ascii: "{") else { return nil }
        return index
    }

    /// Whether a range of JSON text is one object.
    private static func isWhole(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        var (depth, isString, isEscaped) = (0, false, false)
        for index in range {
            let byte = text[index]
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 { return index == range.upperBound - 1 }
            }
        }
        return false
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isEqual(to bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { other in
            guard let one = baseAddress, let two = other.baseAddress else { return count == other.count }
            return count == other.count && memcmp(one, two, count) == 0
        }
    }
}
