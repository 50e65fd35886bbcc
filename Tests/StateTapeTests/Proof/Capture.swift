@testable import StateCapture
@testable import StateTape

/// The subject of the proof: the comparison of two values and the direct encoder.
struct Capture {
    private let layouts: Layouts
    private let slice: Slice?
    private let differ: Differ
    private let encoder: DirectEncoder

    init(layouts: Layouts, slice: Slice?, _ redactor: Redactor = .standard) {
        encoder = DirectEncoder(redactor)
        self.layouts = layouts
        self.slice = slice
        differ = Differ(layouts: layouts, slice: slice, redactor)
    }

    /// Whether two values of the type with the same bytes are the same value.
    func isValue(_ type: any Arbitrary.Type) -> Bool { layouts.isValue(type) }

    /// The text of the patch that turns the old value's JSON into the new one's.
    func patch<Value: Arbitrary>(from old: Value, to new: Value) throws -> [UInt8] {
        let output = ByteBuffer()
        try differ.difference(from: old, to: new, to: output)
        return output.bytes
    }

    /// The text of the whole value.
    func text<Value: Arbitrary>(of value: Value) throws -> [UInt8] {
        let output = ByteBuffer()
        try encoder.encode(value, slice: slice, to: output)
        return output.bytes
    }
}
