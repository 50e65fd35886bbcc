extension JSON {
    /// Passes on the value's JSON text in pieces of about `size` bytes, so that a large text is never in memory as a whole.
    /// A string is not divided.
    package func write(inPiecesOf size: Int, to sink: ([UInt8]) throws -> Void) rethrows {
        var piece: [UInt8] = []
        try add(to: &piece, size, sink)
        if !piece.isEmpty { try sink(piece) }
    }

    private func add(to piece: inout [UInt8], _ size: Int, _ sink: ([UInt8]) throws -> Void) rethrows {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                piece.append(UInt8(ascii: index == 0 ? "[" : ","))
                try element.add(to: &piece, size, sink)
            }
            piece.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            for (index, member) in object.enumerated() {
                piece.append(UInt8(ascii: index == 0 ? "{" : ","))
                JSON.write(member.key, to: &piece)
                piece.append(UInt8(ascii: ":"))
                try member.value.add(to: &piece, size, sink)
            }
            piece.append(UInt8(ascii: "}"))
        default: write(to: &piece)
        }
        guard piece.count >= size else { return }
        try sink(piece)
        piece.removeAll(keepingCapacity: true)
    }
}
