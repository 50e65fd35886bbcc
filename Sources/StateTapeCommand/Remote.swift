#if Server
    import ArgumentParser
    import Foundation
    import TapeFormat

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// The server that a command talks to.
    struct Remote: ParsableArguments {
        @Option(
            help: ArgumentHelp("The server (default: STATETAPE_URL, then http://127.0.0.1:8080).", valueName: "url"))
        var server: String?

        @Option(help: ArgumentHelp("Its token (default: STATETAPE_TOKEN).", valueName: "token"))
        var token: String?

        func validate() throws { _ = try base }

        /// The server's address without path and fragment.
        private var base: URL {
            get throws {
                let text = server ?? ProcessInfo.processInfo.environment["STATETAPE_URL"] ?? "http://127.0.0.1:8080"
                guard var parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
                    let scheme = ["http": "http", "https": "https", "ws": "http", "wss": "https"][parts.scheme ?? ""]
                else { throw ValidationError("“\(text)” is no address of a server, such as http://127.0.0.1:8080") }
                parts.scheme = scheme
                parts.path = ""
                parts.query = nil
                parts.fragment = nil
                guard let url = parts.url else { throw ValidationError("“\(text)” is no address of a server.") }
                return url
            }
        }

        func request(_ method: String, _ path: String, body: JSON? = nil) throws -> URLRequest {
            guard let url = URL(string: path, relativeTo: try base) else { throw Failure("“\(path)” is no path.") }
            var request = URLRequest(url: url)
            request.httpMethod = method
            if let token = token ?? ProcessInfo.processInfo.environment["STATETAPE_TOKEN"], !token.isEmpty {
                request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            }
            if let body {
                request.httpBody = Data(body.bytes)
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            }
            return request
        }

        /// Asks the server and reads its JSON.
        ///
        /// - Throws: `Failure` with the server's own sentence.
        func json(_ method: String, _ path: String, body: JSON? = nil) async throws -> JSON {
            let request = try request(method, path, body: body)
            let (data, response) = try await reaching { try await URLSession.shared.data(for: request) }
            try check(response, data)
            do {
                return try JSON(parsing: data)
            } catch {
                throw Failure("The server's answer is not JSON: \(error)")
            }
        }

        /// Downloads to a temporary file, which the caller moves or removes.
        func download(_ path: String) async throws -> URL {
            let request = try request("GET", path)
            let (file, response) = try await reaching { try await URLSession.shared.download(for: request) }
            if (response as? HTTPURLResponse)?.statusCode != 200 {
                try check(response, try Data(contentsOf: file))
            }
            return file
        }

        /// The full id of the session that a prefix names.
        func session(_ prefix: String) async throws -> String {
            guard !prefix.isEmpty,
                prefix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
            else { throw ValidationError("“\(prefix)” is no session's id; `statetape sessions` lists them.") }
            let summary = try await json("GET", "/api/v1/sessions/\(prefix)")
            guard let session = summary["session"]?.string else {
                throw Failure("The server's answer names no session.")
            }
            return session
        }

        private func reaching<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
            do {
                return try await body()
            } catch let error as URLError {
                throw unreached(error)
            }
        }

        func unreached(_ error: URLError) -> Failure {
            let address = (try? base).map { "\($0)" } ?? "the server"
            return Failure(
                "No answer from \(address), where `statetape serve` should be: \(error.localizedDescription)")
        }

        func check(_ response: URLResponse, _ data: Data) throws {
            guard let status = (response as? HTTPURLResponse)?.statusCode, status >= 300 else { return }
            let problem = try? JSON(parsing: data)
            let sentence = problem?["detail"]?.string ?? problem?["title"]?.string ?? "status \(status)"
            let path = problem?["path"]?.string.map { " (at \($0))" } ?? ""
            throw Failure("The server refused: \(sentence)\(path)")
        }
    }
#endif
