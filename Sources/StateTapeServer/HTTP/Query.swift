#if Server
    import TapeFormat
    import TapeSockets

    /// The arguments of a request, checked.
    struct Query {
        private let members: [(name: String, value: String)]

        init(_ request: HTTPRequest) {
            members = request.query
        }

        subscript(_ name: String) -> String? {
            members.first { $0.name == name }.map(\.value)
        }

        func all(_ name: String) -> [String] {
            members.filter { $0.name == name }.map(\.value)
        }

        /// A whole number, from 0 to the last seq there may be: sums of such numbers are numbers too.
        func count(_ name: String) throws(Problem) -> Int? {
            guard let text = self[name] else { return nil }
            guard let count = Int(text), 0...Limits.seq ~= count else {
                throw Problem(400, "bad-query", "“\(name)” must be a whole number from 0 to \(Limits.seq).")
            }
            return count
        }

        func bool(_ name: String) throws(Problem) -> Bool? {
            switch self[name] {
            case nil: nil
            case "true", "1", "": true
            case "false", "0": false
            default: throw Problem(400, "bad-query", "“\(name)” must be true or false.")
            }
        }
    }
#endif
