/// The compression of an app's messages, which `hello` offers and `welcome` accepts.
///
/// A compressed message is ``mark``, followed by the next part of the connection's deflate stream (RFC 1951, no header).
/// Each part ends with a sync flush, without the four bytes of ``tail``.
public enum Compression {
    /// The name in `hello` and `welcome`.
    public static let deflate = "deflate"
    /// The first byte of a compressed message; no line starts with it.
    public static let mark: UInt8 = 0
    /// The window size is 2 to this power bytes: small, so that a server can serve many apps.
    public static let windowBits = 12
    /// The last bytes of a sync flush.
    public static let tail: [UInt8] = [0x00, 0x00, 0xff, 0xff]
}
