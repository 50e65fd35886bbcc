import Foundation

/// What happens after the command. A problem is a warning: the exit code belongs to the command.
extension ContinuousIntegration {
    /// The tapes of the run: those in files, and the private server's other sessions.
    func collect(_ server: PrivateServer, _ folder: inout OutputFolder) async -> [RecordedTape] {
        if let reason = folder.replaceLostRecording() { Self.warn(reason) }
        var tapes = folder.recordedFiles.map { RecordedTape($0) }
        do {
            for file in try await server.download(into: folder.recording, except: Set(tapes.compactMap(\.session))) {
                tapes.append(RecordedTape(file))
            }
        } catch {
            Self.warn("The sessions of the private server can't be read: \(error)")
        }
        return tapes.sorted {
            ($0.suite ?? "", $0.name, $0.session ?? "") < ($1.suite ?? "", $1.name, $1.session ?? "")
        }
    }

    func report(
        _ tapes: [RecordedTape], _ labels: RunLabels, _ folder: inout OutputFolder, _ reports: [JUnitFile],
        status: Int32
    ) async {
        var failures: [FailedTest] = []
        let documents = JUnitFile.documents(reports)
        for tape in tapes where tape.outcome != .passed {
            var failure = folder.keep(tape)
            failure.hasPassedLater = JUnitFile.hasPassedLater(tape, documents)
            failures.append(failure)
        }
        let archive = await reachableArchive()
        let passing = tapes.filter { $0.outcome == .passed }
        for tape in passing {
            let file = keepPassing ? folder.move(tape) : tape.file
            if keepPassing, let archive { _ = await archive.send(tape, file, labels) }
            if !keepPassing { unlink(tape.file.path) }
        }
        folder.removeRecording()
        for index in failures.indices {
            if let archive { await archive.complete(&failures[index], in: folder, labels, compareWith) }
            Output.note(failures[index].line)
        }
        let untaped = "The command failed with \(status), but no failing test left a tape: @Suite(.taped) keeps one."
        let none =
            folder.hasLostTapes
            ? "The tapes of the tests are lost." : status == 0 ? "No test failed." : untaped
        let index = FailureIndex(failures, labels: labels, label: compareWith, none: none)
        let reason = folder.write(FailureIndex.name, index.html)
        if let reason { Self.warn(reason) }
        JobSummary(failures, label: compareWith, none: none).write()
        JUnitFile.add(failures, to: reports, hasFailed: status != 0)
        let see = reason == nil ? " See \(folder.path(of: FailureIndex.name))" : ""
        Output.note(sum(failures, passing: passing.count, none) + see)
    }

    /// The archive; nil after a warning if it doesn't answer, so that the run doesn't wait for each upload.
    private func reachableArchive() async -> TeamArchive? {
        guard let archive, let server = try? TeamArchive(archive) else { return nil }
        guard let reason = await server.unreachable() else { return server }
        Self.warn("Nothing was uploaded: \(reason)")
        return nil
    }

    /// - Parameter none: What to say without failing tests.
    private func sum(_ failures: [FailedTest], passing: Int, _ none: String) -> String {
        let later = failures.count(where: \.hasPassedLater)
        let count = failures.count - later
        let tests = count == 0 ? none : "\(count) failing test\(count == 1 ? "" : "s") left a tape."
        let again = later == 0 ? "" : " Passed when run again: \(later)."
        let kept = keepPassing ? " Passing tapes kept: \(passing)." : ""
        let sent = archive == nil ? "" : " Uploaded: \(failures.count { $0.link != nil })."
        return "statetape: \(tests)\(again)\(kept)\(sent)"
    }
}
