import TapeEngine
import TapeFormat
import TapeSockets

/// The query parameters of a request. Every endpoint with parameters reads them here.
struct Query {
    private static let maxLabels = 100

    private let members: [(name: String, value: String)]

    /// - Parameters:
    ///   - names: The parameters that may occur once.
    ///   - lists: The parameters that may repeat.
    /// - Throws: ``Problem`` 400 for an unknown or repeated parameter.
    init(_ request: HTTPRequest, _ names: String..., lists: [String] = []) throws(Problem) {
        members = request.query
        for (index, (name, _)) in members.enumerated() where !lists.contains(name) {
            guard names.contains(name) else {
                let known = (names + lists).map { "“\($0)”" }.joined(separator: ", ")
                throw Self.bad(
                    "“\(name.prefix(100))” is not a parameter of this request, which takes "
                        + (known.isEmpty ? "none." : "\(known)."))
            }
            if members[..<index].contains(where: { $0.name == name }) {
                throw Self.bad("“\(name)” must not repeat.")
            }
        }
    }

    /// - Throws: ``Problem`` 400 if the request has any parameter.
    static func refuse(_ request: HTTPRequest) throws(Problem) {
        _ = try Query(request)
    }

    subscript(_ name: String) -> String? {
        members.first { $0.name == name }.map(\.value)
    }

    func all(_ name: String) -> [String] {
        members.filter { $0.name == name }.map(\.value)
    }

    /// A whole number, by default at most the highest seq, so that sums don't overflow.
    func count(_ name: String, _ range: ClosedRange<Int> = 0...Limits.seq) throws(Problem) -> Int? {
        guard let text = self[name] else { return nil }
        guard let count = Int(text), range ~= count else {
            throw Self.bad("“\(name)” must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return count
    }

    /// The values of “from” and “to”; nil if missing.
    func range() throws(Problem) -> (from: Int?, to: Int?) {
        let (from, to) = (try count("from"), try count("to"))
        if let from, let to, from > to {
            throw Self.bad("“from” must not be above “to”, but \(from) is above \(to).")
        }
        return (from, to)
    }

    /// The filter of a search, whose conditions are ``EventFilter/names`` and `bookmarked`.
    ///
    /// - Parameter bookmarks: Reads the seqs of the session's bookmarks.
    func filter(bookmarks: () throws -> Set<Int>) throws -> EventFilter {
        let areWanted = try bool("bookmarked")
        let marks = try areWanted.map { EventFilter.Bookmarks(try bookmarks(), areWanted: $0) }
        do throws(EventFilter.Failure) {
            return try EventFilter(members, bookmarks: marks) { try RegularExpression($0) }
        } catch {
            throw Problem(error)
        }
    }

    func bool(_ name: String) throws(Problem) -> Bool? {
        switch self[name] {
        case nil: nil
        case "true": true
        case "false": false
        default: throw Self.bad("“\(name)” must be true or false.")
        }
    }

    /// One of several words; nil if missing.
    func choice(_ name: String, _ words: String...) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard words.contains(text) else {
            throw Self.bad("“\(name)” must be \(words.map { "“\($0)”" }.joined(separator: " or ")).")
        }
        return text
    }

    /// Labels in the form KEY:VALUE.
    func labels() throws(Problem) -> [(key: String, value: String)] {
        guard all("label").count <= Self.maxLabels else {
            throw Self.bad("“label” may repeat at most \(Self.maxLabels) times.")
        }
        var labels: [(key: String, value: String)] = []
        for text in all("label") {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Self.bad("“label” must be KEY:VALUE.") }
            labels.append((String(parts[0]), String(parts[1])))
        }
        return labels
    }

    private static func bad(_ detail: String) -> Problem {
        Problem(400, "bad-query", detail)
    }
}
