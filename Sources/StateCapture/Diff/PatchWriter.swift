import TapeFormat

/// Writes a patch's operations as JSON text, one after the other.
///
/// Operations since a mark can be undone, when a shorter form is found.
final class PatchWriter {
    let output: ByteBuffer
    let path: Path
    private(set) var count = 0
    /// The work that applying the operations takes.
    private var work = 0

    struct Mark {
        let bytes: Int
        let count: Int
        fileprivate let work: Int
    }

    init(_ output: ByteBuffer, path: Path) {
        self.output = output
        self.path = path
        output.append("[")
    }

    var mark: Mark { Mark(bytes: output.count, count: count, work: work) }

    func takeBack(to mark: Mark) {
        output.truncate(to: mark.bytes)
        count = mark.count
        work = mark.work
    }

    /// Counts the work of the next operations.
    ///
    /// - Returns: False if a reader would refuse the patch with them.
    func spend(_ amount: Int) -> Bool {
        guard work + amount <= Patch.maxWork else { return false }
        work += amount
        return true
    }

    func end() { output.append("]") }

    func remove(_ token: Path.Token) {
        begin("remove", token)
        output.append("}")
    }

    func move(from: Int, to: Int) {
        begin("move", .index(to), from: .index(from))
        output.append("}")
    }

    /// - Parameters:
    ///   - token: Below the path; nil for the place itself.
    ///   - value: Appends the value's JSON text.
    func add(_ token: Path.Token, value: () throws -> Void) rethrows {
        begin("add", token)
        try end(value)
    }

    func replace(_ token: Path.Token? = nil, value: () throws -> Void) rethrows {
        begin("replace", token)
        try end(value)
    }

    func splice(at offset: Int, remove: Int, insert: String) {
        begin("splice", nil)
        output.append(",\"at\":")
        output.append(number: offset)
        output.append(",\"remove\":")
        output.append(number: remove)
        output.append(",\"insert\":")
        output.append(quoted: insert)
        output.append("}")
    }

    private func end(_ value: () throws -> Void) rethrows {
        output.append(",\"value\":")
        try value()
        output.append("}")
    }

    private func begin(_ name: StaticString, _ token: Path.Token?, from: Path.Token? = nil) {
        if count > 0 { output.append(",") }
        count += 1
        output.append("{\"op\":\"")
        output.append(name)
        if let from {
            output.append("\",\"from\":")
            output.append(quoted: path.pointer(to: from))
            output.append(",\"path\":")
        } else {
            output.append("\",\"path\":")
        }
        output.append(quoted: path.pointer(to: token))
    }
}
