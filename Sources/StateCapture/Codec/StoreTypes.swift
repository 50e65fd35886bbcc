import TapeFormat

extension Header.StoreTypes {
    /// The most bytes of the names in a list of action types.
    private static let longestList = 2 << 10

    /// The types of a store that a test can replay; nil if source code can't name one of them.
    ///
    /// - Parameter decoding: The types of actions behind a protocol; nil if the actions have one type.
    package init?(_ state: Any.Type, _ action: Any.Type, decoding: [Any.Type]? = nil) {
        guard let state = TypeName.inSource(state),
            let action = TypeName.inSource(action, isProtocol: decoding != nil)
        else { return nil }
        let names = (decoding ?? []).map { TypeName.inSource($0) }
        // A part of the list would make a test that can't read the other actions.
        let isWhole =
            names.allSatisfy { $0 != nil } && names.reduce(0) { $0 + ($1?.utf8.count ?? 0) } <= Self.longestList
        self.init(state: state, action: action, decoding: isWhole ? names.compactMap(\.self) : [])
    }
}
