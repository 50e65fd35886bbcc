import Foundation
import TapeFormat

/// Builds and starts an app, and does so again after each change of its sources.
struct Reloader {
    /// How long a process may take from its crash to its end.
    private static let crashTime = Duration.seconds(10)

    private let command: RunCommand
    private let environment: [String: String]
    private let server: RunServer
    private let replay: Bool
    private let terminal: Terminal?
    private let messages: Messages
    private let reporter: Reporter
    private let inherited: InheritedDescriptors
    private let changes: SourceChanges
    private let events: AsyncStream<RunEvent>
    private let post: AsyncStream<RunEvent>.Continuation

    private var app: AppProcess?
    private var startedAt = ContinuousClock.now
    /// When a file was saved without a change while the app ran.
    private var savedAt: ContinuousClock.Instant?
    private var build: Build?
    /// Changed after the running build began.
    private var waiting: [String] = []
    /// Of the build, or of the app that runs.
    private var changed: [String] = []
    private var changedAt = ContinuousClock.now
    private var buildTime = Duration.zero
    /// What to start; nil before the first build, and after a change of the manifest.
    private var start: [String] = []
    /// The states for the next app.
    private var states: [LastState] = []
    /// The sessions of earlier processes.
    private var known: Set<String> = []
    private var isFirst = true
    private var notes: [String] = []
    /// The app that runs lacks something of its launch state.
    private var isPartial = false

    init(
        _ command: RunCommand, folders: [SourceFolder], _ server: RunServer, replay: Bool,
        _ inherited: InheritedDescriptors
    ) throws {
        self.command = command
        self.server = server
        self.replay = replay
        self.inherited = inherited
        environment = ProcessInfo.processInfo.environment
        terminal = Terminal()
        messages = Messages(terminal)
        let (events, post) = AsyncStream.makeStream(of: RunEvent.self)
        (self.events, self.post) = (events, post)
        changes = try SourceChanges(folders) { change in
            switch change {
            case .success(let change): post.yield(.changed(change))
            case .failure(let error): post.yield(.unwatched("\(error)"))
            }
        }
        reporter = Reporter(server, messages)
    }

    /// Runs until an interruption.
    mutating func run(_ interruption: Interruption) async {
        let (post, messages) = (post, messages)
        Task {
            await interruption.wait()
            post.yield(.interrupted)
        }
        startBuild()
        for await event in events {
            switch event {
            case .changed(let change): changed(change)
            case .unwatched(let reason): messages.say(reason)
            case .built(let result, let start, let time): await built(result, start, time)
            case .ended(let ending, let process):
                guard process == app?.process.id else { continue }
                if ended(ending) { return await finish() }
            case .connected(let time, let answer, let process):
                if process == app?.process.id { connected(time, answer) }
            case .interrupted: return await finish()
            }
        }
    }

    private mutating func changed(_ change: SourceChanges.Change) {
        if change.files.isEmpty {
            // Builds write some files again, which is noticed a moment later.
            guard app != nil, build == nil, change.at > startedAt + .seconds(1) else { return }
            savedAt = change.at
            return messages.say("Nothing has changed in \(names(change.touched)). The app keeps running.")
        }
        waiting += change.files.filter { !waiting.contains($0) }
        if build != nil { return }
        changedAt = change.at
        startBuild()
    }

    private func names(_ files: [String]) -> String { files.map { ($0 as NSString).lastPathComponent }.list }

    private mutating func startBuild() {
        changed = waiting
        waiting = []
        if changed.contains(where: { ($0 as NSString).lastPathComponent.hasPrefix("Package") }) { start = [] }
        changes.countTouched(false)
        savedAt = nil
        messages.say(changed.isEmpty ? "Building…" : "Building, because of \(names(changed))…")
        reporter.send(report(.building))
        let build = Build(command.build, environment, folder: command.folder, inherited: inherited)
        self.build = build
        let (post, messages, start, command) = (post, messages, start, command)
        // Without an app, nothing else is on the terminal.
        let shows = app == nil
        let environment = environment
        Task {
            let began = ContinuousClock.now
            var result = await build.run { line in
                if shows {
                    messages.add([line])
                } else if line.contains("Another instance of SwiftPM") {
                    messages.say("Another build of the package is running; waiting for it to finish.")
                }
            }
            var start = start
            let time = ContinuousClock.now - began
            if case .succeeded = result, start.isEmpty {
                do {
                    start = try await command.start(environment)
                } catch {
                    result = .failed([BuildError(text: "\(error)")], output: [])
                }
            }
            post.yield(.built(result, start: start, time))
        }
    }

    private mutating func built(_ result: Build.Result, _ start: [String], _ time: Duration) async {
        build = nil
        changes.countTouched(app == nil)
        buildTime = time
        if case .succeeded = result { self.start = start }
        // What was just built is out of date.
        if !waiting.isEmpty {
            waiting = changed + waiting.filter { !changed.contains($0) }
            return startBuild()
        }
        switch result {
        case .succeeded: await relaunch()
        case .failed(let errors, let output):
            if app != nil { messages.add(output) }
            let rest = app == nil ? "Save a change to build again." : "The app keeps running."
            messages.say(errors.prefix(10).map(\.description).joined(separator: "\n"))
            messages.say("The build failed. \(rest)")
            reporter.send(report(.failed, errors: errors, message: "The build failed. \(rest)"))
        }
    }

    /// Ends the app, and starts the new one where it was.
    private mutating func relaunch() async {
        if let app {
            self.app = nil
            await app.end()
            messages.flush()
        }
        notes = []
        do {
            if !isFirst {
                let last = try await server.lastStates(except: known)
                // An app that ended before it recorded anything leaves the earlier states for the next one; so does
                // one that could not apply them, unless there is something new in it.
                if !last.isEmpty {
                    let isUnused = isPartial ? try await !server.haveActions(last) : false
                    if !isUnused { states = last }
                }
                notes = try await server.setLaunchStates(states, replay: replay)
            }
            known = Set(try await server.sessions().compactMap { $0["session"]?.string })
        } catch {
            notes.append("The app starts without its state: \(error)")
        }
        do {
            let app = try AppProcess(
                start, server.environment(environment), terminal: terminal, inherited: inherited)
            self.app = app
            startedAt = .now
            let (post, server, known) = (post, server, known)
            Task { post.yield(.ended(await app.ending, process: app.process.id)) }
            Task {
                let time = await server.firstEvent(except: known)
                let answer = time == nil ? LaunchAnswer() : await server.launchAnswer()
                post.yield(.connected(at: time, answer, process: app.process.id))
            }
            isFirst = false
            changes.countTouched(false)
        } catch {
            changes.countTouched(true)
            messages.say("\(error)")
            reporter.send(report(.failed, message: "\(error)"))
        }
    }

    /// - Returns: Whether the run ends, too.
    private mutating func ended(_ ending: Ending) -> Bool {
        app = nil
        changes.countTouched(build == nil)
        messages.flush()
        // The terminal's keys reached the app only.
        if terminal != nil, [.signalled(SIGINT), .signalled(SIGQUIT), .signalled(SIGHUP)].contains(ending) {
            return true
        }
        let what = ending == .exited(0) ? "The app has ended." : "The app was ended by \(ending.text)."
        let text: String
        switch ending {
        case .exited(0):
            text = "\(what) Save a file, changed or not, to build and start it again; Ctrl-C ends this command."
        case .exited:
            text =
                "The app has ended with \(ending.text). Save a file, changed or not, to build and start it again."
        case .signalled: text = "\(what) Save a file, changed or not, to build and start it again."
        }
        messages.say(text)
        if build == nil { reporter.send(report(.stopped, message: text)) }
        // Who saw the app crash may have saved before its process had ended: a crash report takes seconds.
        if case .signalled = ending, build == nil, let savedAt, savedAt > .now - Self.crashTime { startBuild() }
        return false
    }

    private mutating func connected(_ time: ContinuousClock.Instant?, _ answer: LaunchAnswer) {
        isPartial = answer.isPartial
        guard let time else {
            let text = "The app hasn't connected, so its state can't be kept. Does it create a Recorder?"
            messages.say(text)
            return reporter.send(report(.running, message: text))
        }
        var report = report(.running, message: notes.isEmpty ? nil : notes.joined(separator: " "))
        if changed.isEmpty {
            messages.say("Started.")
        } else {
            let seconds = (time - changedAt) / .seconds(1)
            report.seconds = seconds
            report.buildSeconds = buildTime / .seconds(1)
            messages.say(
                "Reloaded in \(seconds.hundredths) s, of which the build took \((buildTime / .seconds(1)).hundredths) s."
            )
        }
        for note in notes + answer.notes { messages.say(note) }
        reporter.send(report)
    }

    private mutating func finish() async {
        await build?.cancel()
        if let app {
            self.app = nil
            await app.end()
        }
        messages.flush()
        // A server that doesn't answer must not hold up the end.
        let (server, reporter) = (server, reporter)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await server.clearLaunchStates()
                await reporter.end()
            }
            group.addTask { try? await Task.sleep(for: .seconds(3)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func report(_ status: RunReport.Status, errors: [BuildError] = [], message: String? = nil) -> RunReport {
        let prefix = command.folder + "/"
        let files = changed.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
        return RunReport(
            status: status, command: command.text, changed: files, errors: errors, message: message)
    }
}

extension [String] {
    /// `a, b, c and 4 more`
    var list: String { prefix(3).joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "") }
}

extension Double {
    /// With two decimals.
    fileprivate var hundredths: String { String(format: "%.2f", self) }
}
