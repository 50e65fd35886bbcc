import TapeFormat

extension EventHead {
    /// The beginning of the member in ``rest``, as the writer spells it. In a string its quotes would be escaped.
    private static let member = Array(#""cause":{"#.utf8)
    private static let number = Array(#""seq":"#.utf8)

    /// The seq of the earlier event that started this one: an effect's, a rule's or a nested dispatch's. Nil if the tape
    /// names none, or one that isn't earlier.
    package var cause: Int? {
        // Most heads have no cause, and the search is faster than the parser.
        guard kind != .gap, let place = rest.place(of: Self.member),
            let cause = plainCause(at: place) ?? self["cause"]?["seq"]?.int, 0..<seq ~= cause
        else { return nil }
        return cause
    }

    /// The digits of `"cause":{"seq":12}`; nil if the parser has to read it: if the member may belong to another one, or
    /// is written in another way.
    private func plainCause(at place: Int) -> Int? {
        let text = rest[(place + Self.member.count)...]
        guard !rest[..<place].contains(UInt8(ascii: "{")), text.starts(with: Self.number) else { return nil }
        let digits = text.dropFirst(Self.number.count).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard 1...16 ~= digits.count, digits.endIndex < rest.endIndex,
            rest[digits.endIndex] == UInt8(ascii: "}") || rest[digits.endIndex] == UInt8(ascii: ",")
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
