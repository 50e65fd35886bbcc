import ArgumentParser
import Foundation
import StateTape
import TapeEngine
import TapeFormat
import TapeUplink

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server that a command talks to.
struct ServerClient: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's URL, as `statetape serve` prints it; may contain the token (default: STATETAPE_URL, then"
                + " http://127.0.0.1:8080).", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "The server's token (default: the token in --server, then STATETAPE_TOKEN, then the token in"
                + " STATETAPE_URL).", valueName: "token"))
    var token: String?

    func validate() throws { _ = try base }

    /// The address and the token, in the order that apps use too.
    func address(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Address.Invalid) -> Address {
        if let named = try Address.find(url: server, token: token, environment: environment) { return named }
        return try Address(parsing: "http://127.0.0.1:8080", token: token ?? environment["STATETAPE_TOKEN"])
    }

    /// The token; nil without one. `--token ""` says that there is none.
    var bearer: String? { token == "" ? nil : (try? address())?.token }

    /// The server's address without path and fragment.
    var base: URL {
        get throws {
            do throws(Address.Invalid) {
                if let origin = try address().origin { return origin }
            } catch {
                throw ValidationError("The server's address \(error).")
            }
            throw ValidationError("The server's address is not a URL.")
        }
    }

    /// The address as messages name it.
    private var name: String { (try? base).map { "\($0)" } ?? "the address" }

    func request(_ method: String, _ path: String, body: JSON? = nil) throws -> URLRequest {
        guard let url = URL(string: path, relativeTo: try base) else {
            throw Failure("“\(path)” isn't a valid path.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let bearer {
            request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization")
        }
        if let body {
            request.httpBody = Data(body.bytes)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    /// Sends a request and parses the JSON answer.
    ///
    /// - Throws: `Failure` with the server's message.
    func json(_ method: String, _ path: String, body: JSON? = nil, limit: AnswerLimit = .short) async throws -> JSON {
        try await answer(method, path, body: body, limit: limit).json
    }

    private func answer(
        _ method: String, _ path: String, body: JSON? = nil, limit: AnswerLimit = .short
    ) async throws -> (json: JSON, bytes: Int) {
        let request = try request(method, path, body: body)
        let (data, response) = try await connecting { try await HTTPClient.data(for: request, limit: limit) }
        return (try checked(response, data), data.count)
    }

    /// The JSON of an answer.
    ///
    /// - Throws: `Failure` with the server's message.
    func checked(_ response: URLResponse, _ data: Data) throws -> JSON {
        try check(response, data)
        guard !data.isEmpty else { throw unexpected("it is empty") }
        do {
            return try JSON(parsing: data)
        } catch {
            throw unexpected("it is not JSON: \(error)")
        }
    }

    /// The failure for an answer that lacks what each of its kind has.
    func unexpected(_ what: String) -> Failure {
        Failure(
            "The answer of the server at \(name) isn't what this command expects: \(what). Check the address, and any"
                + " proxy in between.")
    }

    /// A list that an answer must have.
    func list(_ member: String, of answer: JSON) throws -> [JSON] {
        guard let list = answer[member]?.array else { throw unexpected("it has no list “\(member)”") }
        return list
    }

    /// Sends a request whose answer has no content.
    ///
    /// - Throws: `Failure` with the server's message.
    func send(_ request: URLRequest) async throws {
        let (data, response) = try await connecting { try await HTTPClient.data(for: request) }
        try check(response, data)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status == 204 else {
            throw unexpected("it should have no content")
        }
    }

    /// Downloads to a temporary file, which the caller moves or removes.
    func download(_ path: String) async throws -> URL {
        let request = try request("GET", path)
        let (file, response) = try await connecting { try await HTTPClient.download(for: request) }
        do {
            let isAnswer = (response as? HTTPURLResponse)?.statusCode == 200
            try check(response, isAnswer ? Data() : try Data(contentsOf: file))
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
        return file
    }

    /// Looks up the full id of a session by its prefix.
    func session(_ prefix: String) async throws -> String {
        guard !prefix.isEmpty,
            prefix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        else { throw ValidationError("“\(prefix)” isn't a session id; `statetape sessions` lists them.") }
        let summary: JSON
        do {
            summary = try await json("GET", "/api/v1/sessions/\(prefix)")
        } catch let failure as Failure where ["session-absent", "ambiguous"].contains(failure.code) {
            // Sessions may begin with a text that is too short to name one.
            let absent =
                Header.isSession(prefix)
                ? failure
                : Failure(
                    "“\(prefix)” is too short: a session needs at least the first ten characters of its id.",
                    code: failure.code)
            let known = await suggesting(absent, prefix) { try await sessions().compactMap { $0["session"]?.string } }
            guard absent.code == "session-absent", known.description == absent.description else { throw known }
            throw Failure("\(absent.description) `statetape sessions` lists them.", code: absent.code)
        }
        // The id becomes a file name, so the server's answer is validated.
        guard let session = summary["session"]?.string, Header.isSession(session) else {
            throw unexpected("it has no valid session id")
        }
        return session
    }

    /// All sessions, the one that the server received last first.
    func sessions(_ query: String = "") async throws -> [JSON] {
        var list = SessionList()
        var before: String?
        repeat {
            let (page, bytes) = try await answer(
                "GET", "/api/v1/sessions?limit=\(SessionList.page)" + query + (before.map { "&before=\($0)" } ?? "")
            )
            do throws(SessionList.Invalid) {
                before = try list.add(page, bytes: bytes)?
                    .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            } catch {
                throw unexpected(error.reason)
            }
        } while before != nil
        return list.sessions
    }

    /// The server's launch states.
    func launchStates() async throws -> [JSON] {
        try list("startStates", of: await json("GET", "/api/v1/start-states"))
    }

    /// The names of devices by their ids, as the newest session of each has them.
    func deviceNames() async throws -> [String: String] {
        let devices = try await sessions().compactMap { $0["device"] }
        return Dictionary(
            devices.compactMap { device in
                guard let id = device["id"]?.string, let name = device["name"]?.string else { return nil }
                return (id, name)
            }
        ) { first, _ in first }
    }

    /// The failure with what may have been meant.
    ///
    /// - Parameter known: The names that exist; without them the failure stays as it is.
    func suggesting(_ failure: Failure, _ name: String, among known: () async throws -> [String]) async -> Failure {
        let suggestion = Suggestion(name, among: (try? await known()) ?? [])
        return Failure(failure.description + suggestion.question, remedy: failure.remedy, code: failure.code)
    }

    private func connecting<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch let error as URLError {
            throw unreachable(error)
        }
    }

    func unreachable(_ error: URLError) -> Failure {
        if error.code == .networkConnectionLost {
            return Failure(
                "The connection to \(name) was lost: \(error.localizedDescription.sentence) The server may have been stopped,"
                    + " or the session deleted.")
        }
        return Failure(
            "Can't reach the server at \(name): \(error.localizedDescription.sentence) "
                + "Start it with `statetape serve`, or pass its URL with --server.")
    }

    /// What is wrong if something else answers; nil if a server of this kind does.
    func other(_ response: URLResponse) -> String? {
        guard let response = response as? HTTPURLResponse,
            response.value(forHTTPHeaderField: "statetape") == nil
        else { return nil }
        return
            "Something that isn't StateTape answers at \(name): HTTP \(response.statusCode). Check the address"
            + " and port, and any proxy in between."
    }

    /// - Throws: `Failure` with the server's message, or if something else answers.
    func check(_ response: URLResponse, _ data: Data) throws {
        guard let response = response as? HTTPURLResponse else { return }
        let status = response.statusCode
        if (300..<400).contains(status), let place = response.value(forHTTPHeaderField: "location") {
            let target = URL(string: place, relativeTo: response.url)?.absoluteURL
            guard let target, let own = response.url, target.isOnSameServer(as: own) else {
                throw Failure(
                    "The server redirects to another address, which doesn't get the token: \(AnswerLimit.cut(place))")
            }
            throw Failure(
                "The server at \(name) redirects to its own \(target.path), and gives no answer. Check the address, and"
                    + " any proxy in between.")
        }
        if let other = other(response) { throw Failure(other) }
        guard status >= 300 else { return }
        let problem = try? JSON(parsing: data)
        let sentence = AnswerLimit.cut(problem?["detail"]?.string ?? problem?["title"]?.string ?? "status \(status)")
        let path = problem?["path"]?.string.map { $0.isEmpty ? " (at the top)" : " (at \(AnswerLimit.cut($0)))" } ?? ""
        let code = problem?["code"]?.string
        if status == 504, code == "no-answer" { throw Failure(sentence, code: code) }
        // The app's own answers, which the server passes on.
        if status == 422, problem?["message"] != nil || code == "expired" {
            throw Failure("The app refused: \(sentence)\(path)", code: code)
        }
        let cure =
            status == 401
            ? " Pass the URL that the server printed with --server, or its token with --token or in STATETAPE_TOKEN."
            : ""
        throw Failure("The server refused: \(sentence)\(path)\(cure)", code: code)
    }
}
