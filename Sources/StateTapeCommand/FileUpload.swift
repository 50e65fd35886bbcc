#if Server
    import Foundation
    import TapeFormat

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// One file on its way to a server, resumed where its connection was lost.
    struct FileUpload {
        private static let maxTries = 6

        private let file: URL
        private let remote: Remote
        private let labels: [String]
        private let progress: Progress

        /// - Parameters:
        ///   - file: The tape, or the export of the Redux DevTools.
        ///   - remote: The server.
        ///   - labels: Members of the query.
        ///   - progress: Shows how much was sent.
        init(_ file: URL, to remote: Remote, labels: [String], progress: Progress) {
            self.file = file
            self.remote = remote
            self.labels = labels
            self.progress = progress
        }

        /// Sends the file.
        ///
        /// - Returns: The session's summary.
        /// - Throws: `Failure` with the server's own sentence, or if no connection lasts.
        func run() async throws -> JSON {
            var rest: (file: TemporaryFile, query: [String])?
            defer { rest?.file.remove() }
            for number in 1... {
                do {
                    return try await send(rest?.file.url ?? file, query: (rest?.query ?? []) + labels)
                } catch let error as URLError where number < Self.maxTries {
                    // A server that was never there is told of at once.
                    if number == 1, [.cannotConnectToHost, .cannotFindHost].contains(error.code) {
                        throw remote.unreached(error)
                    }
                    Output.note("The connection was lost (\(error.localizedDescription)); trying again.")
                } catch let moved as Moved {
                    guard 1 < number, number < Self.maxTries else { throw moved.failure }
                } catch let error as URLError {
                    throw remote.unreached(error)
                }
                try await Task.sleep(for: .milliseconds(125 << number))
                rest?.file.remove()
                rest = try? await remainder()
            }
            throw Failure("The upload has no end.")
        }

        private func send(_ file: URL, query: [String]) async throws -> JSON {
            let path = "/api/v1/sessions" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            var request = try remote.request("POST", path)
            request.timeoutInterval = 600
            let (data, response) = try await URLSession.shared.upload(
                for: request, fromFile: file, delegate: Sending(progress))
            do {
                try remote.check(response, data)
            } catch let failure as Failure where Self.isMoved(data) {
                throw Moved(failure: failure)
            }
            do {
                return try JSON(parsing: data)
            } catch {
                throw Failure("The server's answer is not JSON: \(error)")
            }
        }

        /// What was held when the server was asked grew since: the lost connection's last lines were still on the way.
        private struct Moved: Error {
            let failure: Failure
        }

        private static func isMoved(_ problem: Data) -> Bool {
            let problem = try? JSON(parsing: problem)
            return ["from", "taken"].contains(problem?["code"]?.string) && problem?["next"] != nil
        }

        /// What the server lacks of the tape, in a file of its own, and how to send it; nil where all has to be sent
        /// again: the server compares what it holds.
        private func remainder() async throws -> (file: TemporaryFile, query: [String])? {
            guard let tape = try? PlainTape(file), let held = try await held(tape.header.session),
                held > tape.header.from ?? 0
            else { return nil }
            return (try tape.rest(from: held), ["session=\(tape.header.session)", "from=\(held)"])
        }

        /// The lowest seq that the server lacks of a session; nil if it has none of it.
        private func held(_ session: String) async throws -> Int? {
            // No session holds so many: the answer says how many it does.
            let request = try remote.request("POST", "/api/v1/sessions?session=\(session)&from=\(Limits.seq)")
            let (data, _) = try await URLSession.shared.data(for: request)
            return try JSON(parsing: data)["next"]?.int
        }

        private final class Sending: NSObject, URLSessionTaskDelegate {
            private let progress: Progress

            init(_ progress: Progress) {
                self.progress = progress
            }

            func urlSession(
                _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
                totalBytesExpectedToSend: Int64
            ) {
                progress.reached(totalBytesSent, of: totalBytesExpectedToSend)
            }
        }
    }
#endif
