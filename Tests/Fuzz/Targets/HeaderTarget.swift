#if Server
    import TapeFormat

    /// A parsed header equals itself after writing and parsing again.
    func fuzzHeader(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let header = try? Header(json) else { return }
        require(Header.isSession(header.session), "the session's name is none")
        require(0...Limits.seq + 1 ~= header.from ?? 0, "the tape begins at no seq")
        let written = header.json
        guard let again = try? Header(written) else { fatalError("a header that was read can't be read again") }
        require(again == header, "the header says something else after writing")
        require(again.json.bytes == written.bytes, "the header is written in two ways")
    }
#endif
