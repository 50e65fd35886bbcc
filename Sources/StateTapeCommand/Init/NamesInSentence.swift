extension [String] {
    /// As a sentence names them: “a”, “a and b”, “a, b and c”.
    var inSentence: String {
        guard count > 1, let last else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
