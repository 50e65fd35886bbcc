/// How an app may compress what it sends, once `hello` has offered it and `welcome` has granted it.
///
/// A compressed message is ``mark``, then the next piece of the connection's one deflate stream (RFC 1951, no header),
/// which ends with a sync flush without the four bytes that every sync flush ends with.
public enum Compression {
    /// Its name in `hello` and `welcome`.
    public static let deflate = "deflate"
    /// The first byte of a compressed message; no line begins with it.
    public static let mark: UInt8 = 0
    /// The stream refers to at most 2 to this power bytes back, so that a server can hold many of them.
    public static let windowBits = 12
    /// What a sync flush ends with.
    public static let tail: [UInt8] = [0x00, 0x00, 0xff, 0xff]
}
