import ArgumentParser
import Foundation
import StateTape
import TapeEngine
import TapeFormat
import TapeUplink

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server that keeps the tapes of all runs.
struct TeamArchive {
    private let remote: ServerClient
    /// Without the token.
    private let address: String

    /// - Throws: `ValidationError` if the text isn't a server's URL.
    init(_ url: String) throws {
        do throws(Address.Invalid) {
            _ = try Address(parsing: url)
        } catch {
            throw ValidationError("The address of --archive \(error).")
        }
        remote = try ServerClient.parse(["--server", url])
        address = try remote.base.absoluteString.trimmingSuffix("/")
    }

    /// Why the server can't be reached; nil if it answers, even if it refuses.
    func unreachable() async -> String? {
        do {
            var request = try remote.request("GET", "/healthz")
            request.timeoutInterval = 20
            let (_, response) = try await HTTPClient.data(for: request)
            return remote.other(response)
        } catch let error as URLError {
            return "The server at \(address) can't be reached: \(error.localizedDescription)"
        } catch {
            return "\(error)"
        }
    }

    /// The page's address of a session, as its menu copies it.
    private func link(_ session: String, _ query: String = "") -> String {
        "\(address)/?session=\(session)\(query)"
    }

    /// Uploads a tape, with those of the run's labels that it lacks.
    ///
    /// - Returns: The link; nil after a warning if the upload failed.
    func send(_ tape: RecordedTape, _ file: URL, _ labels: RunLabels) async -> String? {
        guard let session = tape.session, let own = tape.header?.labels else { return nil }
        var more = labels.all
        // The process died before it could say so.
        if tape.outcome == .crashed { more.append(("outcome", tape.outcome.rawValue)) }
        let progress = Progress("Uploading \(file.lastPathComponent)")
        do {
            _ = try await FileUpload(
                file, to: remote, labels: more.filter { own[$0.key] == nil }.map { Label($0.key, $0.value).query },
                progress: progress
            ).run()
            progress.end()
            return link(session, tape.errorSeq.map { "&event=\($0)" } ?? "")
        } catch {
            progress.end()
            ContinuousIntegration.warn("\(file.lastPathComponent) was not uploaded: \(error)")
            return nil
        }
    }

    /// Uploads a failing test's tape, and compares it with a passing one.
    func complete(_ failure: inout FailedTest, in folder: OutputFolder, _ labels: RunLabels, _ label: Label?) async {
        failure.link = await send(failure.tape, failure.file, labels)
        guard let label, let test = failure.tape.test else { return }
        do {
            failure.comparison = try await compare(
                RecordedTape.open(failure.file), test, suite: failure.tape.suite, label, failure.link != nil)
        } catch {
            ContinuousIntegration.warn("\(failure.tape.title) was not compared: \(error)")
        }
    }

    /// Compares with the newest passing tape of the same test that has the label.
    private func compare(
        _ tape: OpenedTape, _ test: String, suite: String?, _ label: Label, _ isUploaded: Bool
    ) async throws -> FailedTest.Comparison {
        var labels = [label, Label("test", test), Label("outcome", RecordedTape.Outcome.passed.rawValue)]
        if let suite { labels.append(Label("suite", suite)) }
        let query = labels.map(\.query).joined(separator: "&")
        let page = try await remote.json("GET", "/api/v1/sessions?limit=1&\(query)")
        guard let other = page["sessions"]?[0]?["session"]?.string, Header.isSession(other) else {
            let known = Label.all((try? await remote.sessions("&" + Label("test", test).query)) ?? [])
            let question =
                known.contains(label.description) ? "" : Suggestion(label.description, among: known).question
            return .init(
                text:
                    "no passing tape of this test on \(label.key) \(label.value)\(question.isEmpty ? "" : ".\(question)")",
                link: nil)
        }
        let passing = try await TapeName.session(other).open(remote, key: 1)
        var difference = TapeDifference(passing, tape, States())
        let answer = try difference.answer()
        let link = isUploaded ? link(other, "&view=compare&other=\(tape.header.session)") : nil
        return .init(text: Diff.sentence(answer, from: "the passing tape \(other)"), link: link)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
