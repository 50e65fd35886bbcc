#if Server
    import TapeFormat

    /// The stretches of a line in which words are looked for: what the event says, without the format's own names and
    /// figures. A word such as `patch` would else be in every line.
    struct LineWords {
        private let text: CheckedText
        private let line: ArraySlice<UInt8>
        private let count: Int

        /// Whether any stretch of a line, which was checked, is wanted.
        static func contain(
            in line: ArraySlice<UInt8>, where isWanted: (ArraySlice<UInt8>) -> Bool
        ) -> Bool {
            line.withUnsafeBufferPointer { bytes in
                let words = LineWords(text: CheckedText(bytes), line: line, count: bytes.count)
                return words.contain(where: isWanted)
            }
        }

        private func contain(where isWanted: (ArraySlice<UInt8>) -> Bool) -> Bool {
            func isWantedAt(_ place: Range<Int>) -> Bool {
                isWanted(line[line.startIndex + place.lowerBound..<line.startIndex + place.upperBound])
            }
            return text.contains(memberOf: 0..<count) { key, value in
                if Self.figures.contains(where: { text.isSame(key, as: $0) }) { return false }
                // Of most events, and no row says it.
                if text.isSame(key, as: "event"), text.isSame(value, as: "\"action\"") { return false }
                if text.isSame(key, as: "action") {
                    return text.contains(memberOf: value) { isWantedAt($1) }
                }
                guard text.isSame(key, as: "patch") else { return isWantedAt(value) }
                return text.contains(elementOf: value) { operation in
                    text.contains(memberOf: operation) { !text.isSame($0, as: "op") && isWantedAt($1) }
                }
            }
        }

        /// The numbers that every event has: each short one would be in most of them.
        private static let figures: [StaticString] = ["seq", "at", "took", "dispatch", "count"]
    }
#endif
