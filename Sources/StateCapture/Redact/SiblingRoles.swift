/// Which members stand for a name and its value: `{"field":"password","value":"hunter2"}`.
///
/// A member goes by the last word of its own name, so `fieldName` and `newValue` count too; a few count only as a whole.
/// The unnamed values of an enum's case (`_0`, `_1`) and of a tuple (`0`, `1`) may be either.
enum SiblingRoles {
    private static let byLastWord: [String: Redactor.Meaning] = roles(
        names: [
            "key", "keypath", "path", "name", "field", "header", "param", "parameter", "property", "attribute", "label",
            "column",
            "variable", "setting", "identifier",
        ],
        values: ["value", "text", "string", "content", "contents", "data"])

    private static let byWholeName: [String: Redactor.Meaning] = roles(
        names: ["id", "type", "kind"], values: ["to", "from", "new", "old", "input", "body", "payload"])

    private static func roles(names: [String], values: [String]) -> [String: Redactor.Meaning] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, .name) } + values.map { ($0, .value) })
    }

    /// For each last letter, by its low five bits, a bit for the lengths of the words: most names end here.
    private static let lengths: [UInt32] = [byLastWord, byWholeName].flatMap(\.keys).reduce(
        into: Array(repeating: 0, count: 32)
    ) { $0[Int(($1.utf8.last ?? 0) & 31)] |= 1 << UInt32($1.utf8.count) }

    /// The role of a member's name; empty for most.
    static func of(_ name: String) -> Redactor.Meaning {
        var name = name
        return name.withUTF8 { name in
            guard let last = name.last else { return [] }
            if last.isDigit { return isUnnamed(name) ? .pair : [] }
            var start = name.count - 1
            while !name.isBorder(start) { start -= 1 }
            guard name.count - start < 32, lengths[Int(last & 31)] & 1 << UInt32(name.count - start) != 0 else {
                return []
            }
            let word = String(decoding: name[start...].map(\.lowercased), as: UTF8.self)
            return byLastWord[word] ?? (start == 0 ? byWholeName[word] : nil) ?? []
        }
    }

    /// Whether it is a label that no one wrote: `_0`, `0`.
    private static func isUnnamed(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == 1 || name.count == 2 && name[0] == UInt8(ascii: "_")
    }
}

extension Redactor.Meaning {
    /// The meaning of a dictionary's key: a number is not a label there.
    func inDictionary(_ key: String) -> Redactor.Meaning {
        isSuperset(of: .pair) && key.utf8.first?.isDigit == true ? subtracting(.pair) : self
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
