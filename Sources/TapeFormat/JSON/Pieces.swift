extension JSON {
    /// Passes on the value's JSON text in pieces of about `size` bytes, so that a large text is never in memory as a whole.
    /// A string is not divided.
    package func write(inPiecesOf size: Int, to sink: ([UInt8]) throws -> Void) rethrows {
        var pieces = Pieces(size: size)
        try pieces.add(self, sink)
        try pieces.end(sink)
    }
}

extension LargeState {
    /// Passes on the state's JSON text in pieces of about `size` bytes. A string is not divided.
    package func write(inPiecesOf size: Int, to sink: ([UInt8]) throws -> Void) rethrows {
        var pieces = Pieces(size: size)
        try root.each { _, value, child in
            if let child { try pieces.add(child, sink) } else { try pieces.add(value, sink) }
        }
        try pieces.end(sink)
    }
}

/// JSON text on its way, from which pieces are passed on.
private struct Pieces {
    let size: Int
    private var text: [UInt8] = []

    init(size: Int) { self.size = size }

    mutating func add(_ value: JSON, _ sink: ([UInt8]) throws -> Void) rethrows {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                text.append(UInt8(ascii: index == 0 ? "[" : ","))
                try add(element, sink)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            for (index, member) in object.enumerated() {
                text.append(UInt8(ascii: index == 0 ? "{" : ","))
                add(key: member.key)
                try add(member.value, sink)
            }
            text.append(UInt8(ascii: "}"))
        default: value.write(to: &text)
        }
        try pass(sink)
    }

    mutating func add(_ child: OpenChild, _ sink: ([UInt8]) throws -> Void) rethrows {
        switch child {
        case .unread(let unread):
            var rest = unread.bytes
            while !rest.isEmpty {
                let part = rest.prefix(max(1, size - text.count))
                text += part
                rest = rest[part.endIndex...]
                try pass(sink)
            }
        case .open(let container):
            text.append(UInt8(ascii: container.isObject ? "{" : "["))
            var isFirst = true
            try container.each { key, value, child in
                if !isFirst { text.append(UInt8(ascii: ",")) }
                isFirst = false
                if let key { add(key: key) }
                if let child { try add(child, sink) } else { try add(value, sink) }
            }
            text.append(UInt8(ascii: container.isObject ? "}" : "]"))
            try pass(sink)
        }
    }

    private mutating func add(key: String) {
        JSON.write(key, to: &text)
        text.append(UInt8(ascii: ":"))
    }

    private mutating func pass(_ sink: ([UInt8]) throws -> Void) rethrows {
        if text.count >= size { try end(sink) }
    }

    mutating func end(_ sink: ([UInt8]) throws -> Void) rethrows {
        if !text.isEmpty { try sink(text) }
        text.removeAll(keepingCapacity: true)
    }
}
