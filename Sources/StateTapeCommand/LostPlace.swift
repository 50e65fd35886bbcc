import TapeFormat

/// A place of a recorded state whose value the app could not keep.
struct LostPlace {
    let text: String
    /// Whether the value is a secret, which no tape has.
    let isSecret: Bool

    /// - Parameter loss: As the server answers.
    init(_ loss: JSON) {
        isSecret = loss["secret"]?.bool == true
        let value = Self.values[loss["instead"]?.string ?? ""].map { " (\($0))" } ?? ""
        let place = (loss["path"]?.string ?? "") + value
        text = isSecret ? place : "\(place): \(loss["reason"]?.string ?? "")"
    }

    private static let values = [
        "initial": "the initial state's value", "nil": "nil", "empty": "an empty value",
        "default": "the decoder's default value", "other": "another element's value",
        "removed": "left out",
    ]
}
