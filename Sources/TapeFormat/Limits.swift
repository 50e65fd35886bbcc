/// What the format allows at most. Whatever passes a limit is an error that names it.
public enum Limits {
    /// Arrays and objects inside each other.
    public static let nesting = 512
    /// Bytes of a header or of a `hello`.
    public static let header = 16 << 10
    /// Bytes of a line, decompressed.
    public static let line = 16 << 20
    /// Bytes of a state that patches make, as JSON text without escapes. A server may set another limit.
    public static let state = 256 << 20
    /// Digits of a number.
    public static let digits = 1_000
    /// The largest exponent of a number, either way.
    public static let exponent = 9_999
    /// The highest `seq`: the largest integer that every JSON reader keeps exactly.
    public static let seq = (1 << 53) - 1
}
