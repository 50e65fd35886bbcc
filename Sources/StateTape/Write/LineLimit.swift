import TapeFormat

/// The most bytes of a line: those that the server accepts, or those of the tape's format.
struct LineLimit {
    let bytes: Int
    private let isServers: Bool

    init(server: Int) {
        bytes = min(server, Limits.line)
        isServers = server < Limits.line
    }

    /// Names the limit, and the ways out.
    func advice(orRecord less: String) -> String {
        guard isServers else { return "A line has at most \(bytes) bytes: record \(less)." }
        return """
            The server accepts lines of at most \(bytes) bytes: start it with a larger --max-line (up to \
            \(Limits.line >> 20)MiB), or record \(less).
            """
    }
}
