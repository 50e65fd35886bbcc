import Foundation
import StateTape
import TapeFormat
import TapeUplink

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if os(Linux)
    import TapeSockets
#endif

/// The server that keeps the tapes of failed tests: `STATETAPE_URL`, unless `STATETAPE_FILE` says that somebody else
/// collects the files.
struct TapeArchive {
    /// An upload's answer other than success.
    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// How long the server may take, in seconds.
    private static let requestTimeout = 30.0

    private let url: URL
    private let token: String?

    static let current = TapeArchive(ProcessInfo.processInfo.environment)

    /// Finds the server as a recorder does.
    init?(_ environment: [String: String]) {
        guard environment["STATETAPE_FILE"].map(\.isEmpty) ?? true,
            let address = try? Address.find(url: nil, token: nil, environment: environment), let url = address.origin
        else { return nil }
        self.url = url
        token = address.token
    }

    /// The server's address without a token.
    var name: String { url.absoluteString }

    /// Sends a tape.
    ///
    /// - Returns: The link to its session.
    func upload(_ file: URL) async throws -> String {
        var request = URLRequest(url: url.appendingPathComponent("api/v1/sessions"))
        request.httpMethod = "POST"
        request.timeoutInterval = Self.requestTimeout
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, status) = try await Self.send(request, file)
        let answer = try? JSON(parsing: data)
        guard (200..<300).contains(status), let session = answer?["session"]?.string else {
            throw Refusal(description: answer?["detail"]?.string ?? answer?["title"]?.string ?? "status \(status)")
        }
        var link = URLComponents(url: url, resolvingAgainstBaseURL: false) ?? URLComponents()
        link.path = link.path.isEmpty ? "/" : link.path
        link.queryItems = [URLQueryItem(name: "session", value: session)]
        return link.string ?? session
    }

    private static func send(_ request: URLRequest, _ file: URL) async throws -> (data: Data, status: Int) {
        #if os(Linux)
            // Foundation would send it to the proxy in `http_proxy`, and can't reach an IPv6 address.
            if let url = request.url, url.scheme == "http", let name = url.host {
                let host = DirectHost(name)
                if host.isDirect || host.name.contains(":") {
                    let answer = try await PlainRequest(
                        request.httpMethod ?? "POST", host: host.name, port: url.port ?? 80, target: url.path,
                        headers: (request.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) },
                        body: .file(file.path),
                        timeout: .seconds(requestTimeout)
                    ).send()
                    return (Data(answer.body), answer.status)
                }
            }
        #endif
        let (data, response) = try await URLSession.shared.upload(for: request, fromFile: file)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
