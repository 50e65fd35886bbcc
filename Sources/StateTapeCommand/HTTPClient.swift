import Foundation
import TapeSockets

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends the requests of all commands.
///
/// A ``DirectHost`` is never reached through a proxy. For others the variables `http_proxy`, `https_proxy`,
/// `all_proxy` and `no_proxy` mean what they mean for curl.
enum HTTPClient {
    /// Sends a request.
    ///
    /// - Throws: `URLError`; `Failure` if the address can't be reached in this way at all, or the answer is too long.
    static func data(
        for request: URLRequest, limit: AnswerLimit = .short
    ) async throws -> (Data, URLResponse) {
        #if os(Linux)
            if let plain = try plain(request) {
                let (answer, url) = try await send(plain, request, limit: limit)
                return (Data(answer.body), try response(answer, url))
            }
        #endif
        return try await Transfer(limit: limit).send(request, configuration(for: request))
    }

    /// Sends a file as the body.
    ///
    /// - Parameter sent: Called with the bytes that were sent, and their total.
    static func upload(
        for request: URLRequest, fromFile file: URL, sent: @escaping @Sendable (_ done: Int64, _ all: Int64) -> Void
    ) async throws -> (Data, URLResponse) {
        #if os(Linux)
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64 ?? 0
            if let plain = try plain(request, body: .file(file.path)) {
                let (answer, url) = try await send(plain, request) { sent(Int64($0), size) }
                return (Data(answer.body), try response(answer, url))
            }
        #endif
        return try await Transfer(sent: sent).send(request, configuration(for: request), body: file)
    }

    /// Downloads to a temporary file, which the caller moves or removes. An answer with another status than 200 is
    /// in the file, too.
    static func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        let file = try TemporaryFile()
        do {
            #if os(Linux)
                if let plain = try plain(request) {
                    let (answer, url) = try await send(plain, request, into: file.handle)
                    try file.write(Data(answer.body))
                    return (file.url, try response(answer, url))
                }
            #endif
            let (data, response) = try await Transfer(into: file.handle).send(request, configuration(for: request))
            try file.write(data)
            return (file.url, response)
        } catch {
            file.remove()
            throw error
        }
    }

    private static func configuration(for request: URLRequest) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        #if !os(Linux)
            if let host = request.url?.host, DirectHost(host).isDirect {
                configuration.connectionProxyDictionary = [:]
            }
        #endif
        return configuration
    }
}

#if os(Linux)
    extension HTTPClient {
        /// The request without Foundation, which would use a proxy or refuse the address; nil if Foundation is right.
        private static func plain(_ request: URLRequest, body: PlainRequest.Body? = nil) throws -> PlainRequest? {
            guard let url = request.url?.absoluteURL,
                let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let name = parts.host
            else { return nil }
            let direct = DirectHost(name)
            let host = direct.name
            guard parts.scheme == "http" else {
                if host.contains(":") {
                    throw Failure(
                        "\(parts.scheme ?? "")://\(name) can't be reached: on Linux, commands can't use TLS with an"
                            + " IPv6 address. Use a host name, such as one from /etc/hosts.")
                }
                if direct.isDirect { [name, host].forEach(Proxy.exclude) }
                return nil
            }
            guard direct.isDirect || host.contains(":") else { return nil }
            if !direct.isDirect, Proxy.isUsed(for: host) {
                throw Failure(
                    "\(name) can't be reached: on Linux, commands can't reach an IPv6 address through a proxy."
                        + " Use a host name, or add \(host) to no_proxy.")
            }
            let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
            return PlainRequest(
                request.httpMethod ?? "GET", host: host, port: parts.port ?? 80,
                target: path + (parts.percentEncodedQuery.map { "?\($0)" } ?? ""),
                headers: (request.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) },
                body: body ?? .bytes([UInt8](request.httpBody ?? Data())),
                timeout: .seconds(request.timeoutInterval))
        }

        /// Sends a request, and follows some redirections of a `GET` to the same server.
        ///
        /// - Returns: The answer and its address; the last redirection if there are too many.
        private static func send(
            _ plain: PlainRequest, _ request: URLRequest, into file: FileHandle? = nil,
            limit: AnswerLimit = .short, sent: @escaping @Sendable (Int) -> Void = { _ in }
        ) async throws -> (PlainAnswer, URL?) {
            var (plain, request) = (plain, request)
            for number in 0... {
                let answer: PlainAnswer
                do {
                    answer = try await plain.send(
                        into: file,
                        check: { count, file in
                            if let file { try AnswerLimit.check(file) } else { try limit.check(count) }
                        }, sent: sent)
                } catch let failure as PlainFailure {
                    throw URLError(
                        code(failure.kind), userInfo: [NSLocalizedDescriptionKey: failure.description.sentence])
                }
                guard number < Transfer.maxRedirects, plain.method == "GET",
                    [301, 302, 303, 307, 308].contains(answer.status),
                    let location = answer["location"], let url = URL(string: location, relativeTo: request.url),
                    let own = request.url, url.absoluteURL.isOnSameServer(as: own.absoluteURL)
                else { return (answer, request.url) }
                request.url = url.absoluteURL
                guard let next = try Self.plain(request) else { return (answer, url) }
                plain = next
            }
            throw URLError(.badServerResponse)
        }

        private static func code(_ kind: PlainFailure.Kind) -> URLError.Code {
            switch kind {
            case .unknownHost: .cannotFindHost
            case .unreachable: .cannotConnectToHost
            case .lost: .networkConnectionLost
            case .timedOut: .timedOut
            case .invalidAnswer: .badServerResponse
            case .file: .cannotOpenFile
            }
        }

        private static func response(_ answer: PlainAnswer, _ url: URL?) throws -> URLResponse {
            let headers = Dictionary(answer.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
            guard let url,
                let response = HTTPURLResponse(
                    url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: headers)
            else { throw URLError(.badServerResponse) }
            return response
        }
    }
#endif
