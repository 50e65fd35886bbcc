import TapeFormat

@testable import TapeEngine

/// A Redux DevTools export becomes a tape with consecutive lines whose patches apply.
func fuzzRedux(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes),
        let file = try? ReduxFile(json, name: "redux-0123456789")
    else { return }
    require((try? Header(file.header.json)) == file.header, "the header can't be read")
    var state: JSON?
    for (seq, line) in file.lines.enumerated() {
        require(line.seq == seq, "event \(line.seq) found, expected \(seq)")
        guard let again = try? EventLine(parsing: line.bytes) else { fatalError("event \(seq) isn't a valid line") }
        require(again.seq == seq && again.kind == line.kind, "event \(seq) differs after writing")
        if let whole = again["state"] {
            state = whole
        } else if let patch = again["patch"] {
            guard let before = state, let after = try? Patch(patch).applied(to: before) else {
                fatalError("the patch of event \(seq) doesn't apply")
            }
            state = after
        }
    }
}
