import Foundation
import TapeFormat

/// The JSON object in a request's body. Every endpoint that takes JSON reads it here.
struct RequestBody {
    /// The most bytes of all labels of a session in its header.
    static let maxLabels = 8 << 10

    private let members: JSON.Object

    /// - Parameter names: The members that the endpoint accepts.
    /// - Throws: ``Problem`` 400 if the body is not JSON; 422 if it is not an object or has an unknown member.
    init(_ body: [UInt8], _ names: String...) throws(Problem) {
        let json: JSON
        do throws(FormatError) {
            json = try JSON(parsing: body)
        } catch {
            throw Problem(400, "bad-json", "The body is not JSON: \(error).")
        }
        let known = names.map { "“\($0)”" }.joined(separator: ", ")
        guard let members = json.object else { throw Self.bad("The body must be an object with \(known).") }
        if let unknown = members.first(where: { !names.contains($0.key) }) {
            throw Self.bad("The body has an unknown member “\(unknown.key.prefix(100))”; it takes \(known).")
        }
        self.members = members
    }

    /// The raw member; nil if it is missing.
    subscript(_ name: String) -> JSON? { members[name] }

    func bool(_ name: String) throws(Problem) -> Bool? {
        try read(name, "true or false", \.bool)
    }

    func count(_ name: String, _ range: ClosedRange<Int> = 0...Limits.seq) throws(Problem) -> Int? {
        let what = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try read(name, what) { json in json.int.flatMap { range.contains($0) ? $0 : nil } }
    }

    func string(_ name: String, max: Int) throws(Problem) -> String? {
        try read(name, "a string of at most \(max) bytes") { json in
            json.string.flatMap { $0.utf8.count <= max ? $0 : nil }
        }
    }

    /// A text that a user typed, trimmed. Nil if it is empty, null or missing.
    func text(_ name: String, max: Int) throws(Problem) -> String? {
        if members[name]?.isNull ?? true { return nil }
        let text = try string(name, max: max)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    func strings(_ name: String) throws(Problem) -> [String]? {
        try read(name, "an array of strings") { json in
            guard let elements = json.array else { return nil }
            let strings = elements.compactMap(\.string)
            return strings.count == elements.count ? strings : nil
        }
    }

    func counts(_ name: String, max: Int) throws(Problem) -> [Int]? {
        try read(name, "an array of at most \(max) event numbers") { json in
            guard let elements = json.array, elements.count <= max else { return nil }
            let counts = elements.compactMap(\.int).filter { 0...Limits.seq ~= $0 }
            return counts.count == elements.count ? counts : nil
        }
    }

    func labels(_ name: String) throws(Problem) -> [String: String]? {
        guard let object = try read(name, "an object of strings", \.object) else { return nil }
        var labels: [String: String] = [:]
        for member in object {
            guard let text = member.value.string else { throw Self.bad("“\(name)” must be an object of strings.") }
            labels[member.key] = text
        }
        try Self.check(labels)
        return labels
    }

    /// - Throws: ``Problem`` 422 if there are too many labels, or they are too long.
    static func check(_ labels: [String: String]) throws(Problem) {
        let size = labels.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard size <= maxLabels, labels.count <= 100 else {
            throw bad("A session can have 100 labels with \(maxLabels) bytes in total.")
        }
    }

    /// - Throws: ``Problem`` 422 if the header is too long for the first line of an exported tape.
    static func check(_ header: Header) throws(Problem) {
        var header = header
        header.states = nil
        guard header.json.bytes.count <= Limits.header else {
            throw bad("With these labels the session's header is longer than \(Limits.header) bytes.")
        }
    }

    static func bad(_ detail: String) -> Problem {
        Problem(422, "bad-body", detail)
    }

    private func read<Value>(_ name: String, _ what: String, _ read: (JSON) -> Value?) throws(Problem) -> Value? {
        guard let json = members[name] else { return nil }
        guard let value = read(json) else { throw Self.bad("“\(name)” must be \(what).") }
        return value
    }
}
