import TapeFormat

/// What is left of a decoded value, and of the app's, after they were encoded and decoded once more.
struct RoundTrips {
    /// What encoding and decoding does with a member.
    enum Verdict {
        /// The app's value survives, so the decoded one is the recorded one.
        case survives
        /// The app's value does not survive, and decoding made another one from the recorded state.
        case decoded
        /// The app's value does not survive, and decoding always gives the same.
        case isLost
        /// The values can't be encoded and decoded.
        case unknown
    }

    private let new: Box?
    private let app: Box?

    init(_ type: Any.Type, new: UnsafeRawPointer, app: UnsafeRawPointer) {
        self.app = Self.made(from: Box.value(type, at: app)).map(Box.init)
        self.new = self.app == nil ? nil : Self.made(from: Box.value(type, at: new)).map(Box.init)
    }

    /// - Parameters:
    ///   - decoded: The member of the decoded value.
    ///   - own: That of the app's.
    ///   - member: Reads the member of a value in memory.
    func verdict(_ decoded: Any, _ own: Any, _ member: (UnsafeRawPointer) -> Any) -> Verdict {
        guard let app else { return .unknown }
        let back = member(UnsafeRawPointer(app.start))
        if Sameness.areSame(back, own) { return .survives }
        let again = new.map { member(UnsafeRawPointer($0.start)) }
        return Sameness.areSame(decoded, back, again: again) ? .isLost : .decoded
    }

    /// A value that was encoded and decoded; nil if that is not possible.
    static func made(from value: Any) -> Any? {
        func made<Value: Codable>(_ value: Value) -> Any? {
            guard let tree = try? DirectEncoder(.none).tree(of: value) else { return nil }
            return try? Overlay.decode(Value.self, from: tree, over: nil).value
        }
        return (value as? any Codable).flatMap { made($0) }
    }
}
