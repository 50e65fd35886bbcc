import TapeFormat

/// A parsed header equals itself after writing and parsing again.
func fuzzHeader(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes), let header = try? Header(json) else { return }
    require(Header.isSession(header.session), "the session id is invalid")
    require(0...Limits.seq + 1 ~= header.from ?? 0, "the first seq is invalid")
    let written = header.json
    guard let again = try? Header(written) else { fatalError("a parsed header can't be parsed again") }
    require(again == header, "the header differs after writing")
    require(again.json.bytes == written.bytes, "writing the header twice gives different bytes")
}
