package import TapeFormat

/// A state in memory: as a value or, if it is large, as text.
package enum HeldState: Sendable {
    case value(JSON)
    case text(LargeState)

    /// - Parameter text: One JSON value in the writer's notation.
    /// - Throws: `FormatError` if it isn't valid.
    package init(text: [UInt8]) throws(FormatError) {
        self = text.count < LargeState.shown ? .value(try JSON(parsing: text)) : .text(try LargeState(text))
    }

    package func json() throws(Patch.Failure) -> JSON {
        switch self {
        case .value(let value): value
        case .text(let large): try large.json()
        }
    }

    /// The JSON text.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(inPiecesOf: 1 << 20) { bytes += $0 }
        return bytes
    }

    /// Passes on the JSON text in pieces of about `size` bytes. A string is not divided.
    package func write(inPiecesOf size: Int, to sink: ([UInt8]) throws -> Void) rethrows {
        switch self {
        case .value(let value): try value.write(inPiecesOf: size, to: sink)
        case .text(let large): try large.write(inPiecesOf: size, to: sink)
        }
    }

    /// The size of the text without escapes, about; see `JSON.Footprint`.
    package func size() throws(Patch.Failure) -> Int {
        switch self {
        case .value(let value): JSON.Footprint.text(of: value)
        case .text(let large): try large.size()
        }
    }

    /// Applies a patch in place, if nobody else has the state. A failure loses it.
    ///
    /// - Parameter bytes: The size of the patch.
    mutating func apply(_ patch: Patch, bytes: Int, maxSize: Int) throws(Patch.Failure) {
        switch self {
        case .value(let value):
            self = .value(.null)
            self = .value(try patch.applied(to: consume value, maxSize: maxSize))
        case .text(var large):
            self = .value(.null)
            try large.apply(patch, bytes: bytes, maxSize: maxSize)
            self = .text(large)
        }
    }

    /// Measures the text and the memory, in bytes, and keeps the state as text from then on if it has `large` bytes.
    mutating func measure(large size: Int) throws(Patch.Failure) -> (text: Int, memory: Int) {
        switch self {
        case .value(let value):
            // Parsed values never exceed the depth limit.
            guard let footprint = try? JSON.Footprint(value) else { return (0, 0) }
            guard footprint.text >= size else { return (footprint.text, footprint.memory) }
            let large = LargeState(value)
            self = .text(large)
            return (footprint.text, large.memory)
        case .text(let large):
            let text = try large.size()
            guard text < size else { return (text, large.memory) }
            self = .value(try large.json())
            return try measure(large: size)
        }
    }
}
