/// The version of the server, as answers name it.
enum Release {
    static let version = "0.1.0"
    /// The name and version in `welcome`.
    static let name = "statetape/\(version)"
}
