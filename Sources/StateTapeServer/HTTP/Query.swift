#if Server
    import TapeEngine
    import TapeFormat
    import TapeSockets

    /// The parameters of a request's query. Every endpoint that takes some reads them here.
    struct Query {
        private static let maxLabels = 100

        private let members: [(name: String, value: String)]

        /// - Parameters:
        ///   - names: The parameters that may be given once.
        ///   - lists: Those that may be repeated.
        /// - Throws: ``Problem`` 400 for a parameter of another name, and one that is given twice.
        init(_ request: HTTPRequest, _ names: String..., lists: [String] = []) throws(Problem) {
            members = request.query
            for (index, (name, _)) in members.enumerated() where !lists.contains(name) {
                guard names.contains(name) else {
                    let known = (names + lists).map { "“\($0)”" }.joined(separator: ", ")
                    throw Self.bad(
                        "“\(name.prefix(100))” is no parameter of this request, which takes "
                            + (known.isEmpty ? "none." : "\(known)."))
                }
                if members[..<index].contains(where: { $0.name == name }) {
                    throw Self.bad("“\(name)” may be given once.")
                }
            }
        }

        /// - Throws: ``Problem`` 400 if there is any parameter, for an endpoint that takes none.
        static func refuse(_ request: HTTPRequest) throws(Problem) {
            _ = try Query(request)
        }

        subscript(_ name: String) -> String? {
            members.first { $0.name == name }.map(\.value)
        }

        func all(_ name: String) -> [String] {
            members.filter { $0.name == name }.map(\.value)
        }

        /// A whole number, up to the last seq there may be if nothing else is said: sums of such numbers are numbers too.
        func count(_ name: String, _ range: ClosedRange<Int> = 0...Limits.seq) throws(Problem) -> Int? {
            guard let text = self[name] else { return nil }
            guard let count = Int(text), range ~= count else {
                throw Self.bad("“\(name)” must be a whole number from \(range.lowerBound) to \(range.upperBound).")
            }
            return count
        }

        /// The events that “from” and “to” name; nil for what isn't given.
        func range() throws(Problem) -> (from: Int?, to: Int?) {
            let (from, to) = (try count("from"), try count("to"))
            if let from, let to, from > to {
                throw Self.bad("“from” must not be above “to”: \(from) is, above \(to).")
            }
            return (from, to)
        }

        /// The events that the conditions of a search mean.
        func filter() throws(Problem) -> EventFilter {
            do throws(EventFilter.Failure) {
                return try EventFilter(members) { try RegularExpression($0) }
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

        /// One of some words; nil if it isn't given.
        func choice(_ name: String, _ words: String...) throws(Problem) -> String? {
            guard let text = self[name] else { return nil }
            guard words.contains(text) else {
                throw Self.bad("“\(name)” must be \(words.map { "“\($0)”" }.joined(separator: " or ")).")
            }
            return text
        }

        /// Labels, each as KEY:VALUE.
        func labels() throws(Problem) -> [(key: String, value: String)] {
            guard all("label").count <= Self.maxLabels else {
                throw Self.bad("“label” may be given \(Self.maxLabels) times.")
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
#endif
