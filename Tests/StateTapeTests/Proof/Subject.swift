import TapeFormat

@testable import StateTape

/// What the proof is about.
protocol Subject {
    /// Whether two values of the type with the same bytes are the same value.
    func isValue(_ type: any Arbitrary.Type) -> Bool
    /// The text of the patch that makes the new value's JSON of the old one's.
    func patch<Value: Arbitrary>(from old: Value, to new: Value) throws -> [UInt8]
    /// The text of the whole value.
    func text<Value: Arbitrary>(of value: Value) throws -> [UInt8]
}

/// What records: the comparison of two values and the direct encoder.
struct Capture: Subject {
    private let layouts: Layouts
    private let slice: Slice?
    private let differ: Differ
    private let encoder = DirectEncoder()

    init(layouts: Layouts, slice: Slice?) {
        self.layouts = layouts
        self.slice = slice
        differ = Differ(layouts: layouts, slice: slice)
    }

    func isValue(_ type: any Arbitrary.Type) -> Bool { layouts.isValue(type) }

    func patch<Value: Arbitrary>(from old: Value, to new: Value) throws -> [UInt8] {
        let output = ByteBuffer()
        try differ.difference(from: old, to: new, to: output)
        return output.bytes
    }

    func text<Value: Arbitrary>(of value: Value) throws -> [UInt8] {
        let output = ByteBuffer()
        try encoder.encode(value, slice: slice, to: output)
        return output.bytes
    }
}

/// Encodes both values and compares the trees.
struct WholeEncoding: Subject {
    func isValue(_ type: any Arbitrary.Type) -> Bool { true }

    func patch<Value: Arbitrary>(from old: Value, to new: Value) throws -> [UInt8] {
        try Patch.between(tree(of: old), tree(of: new)).json.bytes
    }

    func text<Value: Arbitrary>(of value: Value) throws -> [UInt8] { try tree(of: value).bytes }

    private func tree<Value: Arbitrary>(of value: Value) throws -> JSON {
        Value.normalised(try TreeEncoder().tree(of: value))
    }
}
