extension JSON {
    /// Whether the value is within the nesting limit inside of this many arrays and objects.
    package func fits(inside levels: Int) -> Bool {
        (try? Footprint(self, maxDepth: Limits.nesting - levels)) != nil
    }

    /// The size of a value as text and in memory, and its depth. Measuring visits the whole value.
    package struct Footprint: Sendable, Equatable {
        /// The size of the JSON text without escapes, with a comma after each element and member, in bytes.
        package private(set) var text = 0
        /// The approximate size in memory, in bytes.
        package private(set) var memory = 0
        /// The nesting depth of arrays and objects; 0 for a scalar.
        package private(set) var depth = 0

        /// The limit that a value exceeds.
        package enum Excess: Error { case text, depth }

        /// - Throws: The first limit that the value exceeds.
        package init(
            _ value: JSON, maxText: Int = .max, maxDepth: Int = Limits.nesting
        ) throws(Excess) {
            try add(value, at: 0, maxText, maxDepth)
        }

        /// The maximum length of a string that is stored without a buffer, in bytes.
        private static let inlineBytes = 15
        /// The overhead of a buffer in bytes.
        private static let bufferBytes = 32

        /// The size of null, true and false.
        static let word = 5

        private mutating func add(_ value: JSON, at depth: Int, _ maxText: Int, _ maxDepth: Int) throws(Excess) {
            switch value {
            case .null, .bool: text += Self.word
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

        /// The size of a value's text, about; the nesting of a parsed value is within the limit.
        package static func text(of value: JSON) -> Int { (try? Footprint(value).text) ?? .max }

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
