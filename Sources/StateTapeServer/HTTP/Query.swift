#if Server
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

        /// A whole number, 0 or more.
        func count(_ name: String) throws(Problem) -> Int? {
            guard let text = self[name] else { return nil }
            guard let count = Int(text), count >= 0 else {
                throw Problem(400, "bad-query", "“\(name)” must be a whole number, 0 or more.")
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
