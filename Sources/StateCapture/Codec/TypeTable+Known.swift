import Foundation

// The types that a table names and doesn't describe.
extension TypeTable {
    /// Types without parts, by the form that the encoder gives them.
    static let plain: [ObjectIdentifier: String] = {
        let numbers: [Any.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
            UInt64.self, Double.self, Float.self, CGFloat.self, Decimal.self,
        ]
        let others: [Any.Type] = [
            Bool.self, String.self, Substring.self, Character.self, Date.self, Data.self, URL.self, UUID.self,
        ]
        return Dictionary(
            uniqueKeysWithValues: (numbers + others).map { (ObjectIdentifier($0), String(describing: $0)) })
    }()

    /// Collections that are arrays on the tape, whose element is the last generic argument.
    static let arrays: Set<String> = [
        "Swift.Array", "Swift.ContiguousArray", "Swift.ArraySlice", "Swift.Set", "OrderedCollections.OrderedSet",
        "DequeModule.Deque", "HashTreeCollections.TreeSet", "IdentifiedCollections.IdentifiedArray",
    ]

    static let dictionaries: Set<String> = [
        "Swift.Dictionary", "OrderedCollections.OrderedDictionary", "HashTreeCollections.TreeDictionary",
    ]
}
