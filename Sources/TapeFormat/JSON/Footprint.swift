extension JSON {
    /// Whether a line can hold the value inside so many arrays and objects.
    package func fits(inside levels: Int) -> Bool {
        (try? Footprint(self, maxDepth: Limits.nesting - levels)) != nil
    }

    /// How much a value takes: as text, in memory, and in depth. Finding it out visits the whole value.
    package struct Footprint: Sendable, Equatable {
        /// Bytes of the JSON text without escapes, with a comma after each element and member.
        package private(set) var text = 0
        /// About the bytes that the value takes in memory.
        package private(set) var memory = 0
        /// Arrays and objects inside each other; 0 of a scalar.
        package private(set) var depth = 0

        /// The limit that a value passes.
        package enum Excess: Error { case text, depth }

        /// - Throws: The limit that the value passes; what lies behind it isn't visited.
        package init(
            _ value: JSON, maxText: Int = .max, maxDepth: Int = Limits.nesting
        ) throws(Excess) {
            try add(value, at: 0, maxText, maxDepth)
        }

        /// The longest string that lies in the value itself instead of in a buffer of its own.
        private static let inlineBytes = 15
        /// What a buffer takes beside its elements.
        private static let bufferBytes = 32

        private mutating func add(_ value: JSON, at depth: Int, _ maxText: Int, _ maxDepth: Int) throws(Excess) {
            switch value {
            case .null, .bool: text += 5
            case .number(let number): add(number.text)
            case .string(let string):
                add(string)
                text += 2
            case .array(let elements):
                try open(depth, maxDepth)
                memory += Self.bufferBytes + elements.capacity * MemoryLayout<JSON>.stride
                for element in elements { try add(element, at: depth + 1, maxText, maxDepth) }
                text += 2 + elements.count
            case .object(let object):
                try open(depth, maxDepth)
                memory += Self.bufferBytes + object.members.capacity * MemoryLayout<JSON.Object.Member>.stride
                for member in object.members {
                    add(member.key)
                    try add(member.value, at: depth + 1, maxText, maxDepth)
                }
                text += 2 + 4 * object.members.count
            }
            guard text <= maxText else { throw .text }
        }

        private mutating func open(_ depth: Int, _ maxDepth: Int) throws(Excess) {
            guard depth < maxDepth else { throw .depth }
            self.depth = max(self.depth, depth + 1)
        }

        private mutating func add(_ string: String) {
            let count = string.utf8.count
            text += count
            if count > Self.inlineBytes { memory += Self.bufferBytes + count }
        }
    }
}
