import Foundation
import TapeFormat

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Uploads one file to a server; resumes after a lost connection.
struct FileUpload {
    private static let maxTries = 6

    private let file: URL
    private let remote: ServerClient
    private let labels: [String]
    private let progress: Progress

    /// - Parameters:
    ///   - file: A tape or a Redux DevTools export.
    ///   - remote: The server.
    ///   - labels: Query items.
    ///   - progress: Shows the percentage sent.
    init(_ file: URL, to remote: ServerClient, labels: [String], progress: Progress) {
        self.file = file
        self.remote = remote
        self.labels = labels
        self.progress = progress
    }

    /// Sends the file.
    ///
    /// - Returns: The session's summary.
    /// - Throws: `Failure` with the server's message, or after six failed attempts.
    func run() async throws -> JSON {
        var rest: (file: TemporaryFile, query: [String])?
        defer { rest?.file.remove() }
        for number in 1... {
            do {
                return try await send(rest?.file.url ?? file, query: (rest?.query ?? []) + labels)
            } catch let error as URLError where number < Self.maxTries {
                // Retry only connections that worked before.
                if number == 1, [.cannotConnectToHost, .cannotFindHost].contains(error.code) {
                    throw remote.unreachable(error)
                }
                Output.note("The connection was lost (\(error.localizedDescription)). Retrying …")
            } catch let changed as ServerChanged {
                guard 1 < number, number < Self.maxTries else { throw changed.failure }
            } catch let error as URLError {
                throw remote.unreachable(error)
            }
            try await Task.sleep(for: .milliseconds(125 << number))
            rest?.file.remove()
            rest = try? await remainder()
        }
        throw Failure("The upload did not finish.")
    }

    private func send(_ file: URL, query: [String]) async throws -> JSON {
        let path = "/api/v1/sessions" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        var request = try remote.request("POST", path)
        request.timeoutInterval = 600
        let (data, response) = try await HTTPClient.upload(for: request, fromFile: file) { [progress] in
            progress.update($0, of: $1)
        }
        do {
            return try remote.checked(response, data)
        } catch let failure as Failure where Self.hasChanged(data) {
            throw ServerChanged(failure: failure)
        }
    }

    /// The server received more events since it was asked: the lost connection's last lines arrived late.
    private struct ServerChanged: Error {
        let failure: Failure
    }

    private static func hasChanged(_ problem: Data) -> Bool {
        let problem = try? JSON(parsing: problem)
        return ["from", "taken"].contains(problem?["code"]?.string) && problem?["next"] != nil
    }

    /// The events that the server lacks, in a temporary file, and the query to send them with.
    ///
    /// - Returns: Nil if the whole file must be sent again; the server then skips the events that it has.
    private func remainder() async throws -> (file: TemporaryFile, query: [String])? {
        guard let tape = try? PlainTape(file), let next = try await nextSeq(tape.header.session),
            next > tape.header.from ?? 0
        else { return nil }
        return (try tape.rest(from: next), ["session=\(tape.header.session)", "from=\(next)"])
    }

    /// The first seq of a session that the server lacks; nil if it doesn't have the session.
    private func nextSeq(_ session: String) async throws -> Int? {
        // The highest seq is always refused, and the answer names the next one.
        let request = try remote.request("POST", "/api/v1/sessions?session=\(session)&from=\(Limits.seq)")
        let (data, _) = try await HTTPClient.data(for: request)
        return try JSON(parsing: data)["next"]?.int
    }
}
