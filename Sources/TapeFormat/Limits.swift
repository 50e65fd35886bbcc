/// The limits of the format. An error names the limit that the input exceeds.
public enum Limits {
    /// The maximum nesting depth of arrays and objects.
    public static let nesting = 512
    /// The maximum size of a header or a `hello`, in bytes.
    public static let header = 16 << 10
    /// The maximum length of a decompressed line, in bytes. A server may have a lower limit, which its `welcome` says.
    public static let line = 256 << 20
    /// The maximum size of a file's header with its states, in bytes.
    public static let headerWithStates = 512 << 20
    /// The maximum size of a patched state as JSON text without escapes, in bytes. A server may have another limit.
    public static let state = 256 << 20
    /// The maximum number of digits of a number.
    public static let digits = 1_000
    /// The maximum absolute exponent of a number.
    public static let exponent = 9_999
    /// The maximum number of functions of a call stack.
    public static let stackFrames = 32
    /// The maximum length of the name of a function in a call stack, in bytes.
    public static let stackFunction = 1 << 10
    /// The maximum `seq`: the largest integer that every JSON parser represents exactly.
    public static let seq = (1 << 53) - 1
}
