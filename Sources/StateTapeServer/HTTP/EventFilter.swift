#if Server
    import TapeFormat

    /// Which events a list holds: those that pass every filter.
    struct EventFilter {
        /// The action's type, or its path down to a slash: `todos` finds `todos/add`.
        var type: String?
        var store: String?
        /// Text anywhere in the line, whatever its case in ASCII.
        private var text: [UInt8]?

        init(type: String?, store: String?, text: String?) {
            self.type = type
            self.store = store
            self.text = text.flatMap { $0.isEmpty ? nil : $0.utf8.map(Self.lower) }
        }

        func passes(_ line: EventLine) -> Bool {
            if let type {
                guard let own = line.type, own.utf8.starts(with: type.utf8),
                    own.utf8.count == type.utf8.count || own.utf8.dropFirst(type.utf8.count).first == UInt8(ascii: "/")
                else { return false }
            }
            if let store, !line.store.utf8.elementsEqual(store.utf8) { return false }
            return text.map { Self.contains(line.bytes, $0) } ?? true
        }

        private static func contains(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
            bytes.withUnsafeBufferPointer { bytes in
                text.withUnsafeBufferPointer { text in
                    guard bytes.count >= text.count else { return false }
                    return (0...bytes.count - text.count).contains { start in
                        text.indices.allSatisfy { lower(bytes[start + $0]) == text[$0] }
                    }
                }
            }
        }

        private static func lower(_ byte: UInt8) -> UInt8 {
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte + 32 : byte
        }
    }
#endif
