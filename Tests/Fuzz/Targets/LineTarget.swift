import TapeFormat

@testable import TapeEngine

/// A parsed line has the same meaning after writing. The error of an invalid line has a position inside it.
func fuzzLine(_ bytes: [UInt8]) {
    for line in bytes.lines { fuzzOneLine(line) }
}

private func fuzzOneLine(_ bytes: [UInt8]) {
    do throws(FormatError) {
        let json = try JSON(parsing: bytes)
        require((try? JSON(parsing: json.bytes)) == json, "the JSON value differs after writing")
        require(json.hasSameText(as: json), "a value differs from itself")
    } catch {
        require(0...bytes.count ~= error.offset ?? 0, "the error's position is outside of the text")
    }
    do throws(FormatError) {
        let line = try EventLine(parsing: bytes)
        require(line.bytes == bytes, "the line's bytes changed")
        require(0...Limits.seq ~= line.seq && 0...line.seq ~= line.first, "the line covers events below 0")
        require(line.at.double >= 0 && line.at.double.isFinite, "the line's time is invalid")
        guard let json = try? JSON(parsing: bytes), let again = try? EventLine(parsing: json.bytes) else {
            fatalError("a parsed line can't be parsed after writing")
        }
        require(
            again.seq == line.seq && again.first == line.first && again.kind == line.kind && again.at == line.at
                && again.store == line.store && again.type == line.type, "the line says something else")
        var head: [UInt8] = []
        EventHead(line).write(to: &head)
        require((try? JSON(parsing: head))?["seq"]?.int == line.seq, "the head isn't JSON: \(head)")
    } catch {
        require(0...bytes.count ~= error.offset ?? 0, "the error's position is outside of the line")
    }
    if let line = try? ServerLine(parsing: bytes) {
        require((try? ServerLine(parsing: line.bytes))?.bytes == line.bytes, "the server's line changes")
    }
    if let line = try? ViewerLine(parsing: bytes) {
        require((try? ViewerLine(parsing: line.bytes)) == line, "the viewer's line changes")
    }
    if let line = try? ViewerRequest(parsing: bytes) {
        require((try? ViewerRequest(parsing: line.bytes)) == line, "the viewer's request changes")
    }
    if let line = try? AppLine(parsing: bytes) {
        require((try? AppLine(parsing: line.bytes))?.bytes == line.bytes, "the app's line changes")
    }
}
