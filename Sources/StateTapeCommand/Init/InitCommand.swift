import ArgumentParser
import Foundation
import TapeFormat

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Add the recorder to a Swift package: the dependency, and the code at its store.",
        discussion: """
            Finds the store in the package's targets, shows the edit as a diff, and asks before it changes a file. It knows \
            the stores of StateTapeStore, ReSwift and Puredux, and a class or an actor with a state and a method that \
            reduces an action, such as an `@Observable` one with `send`, also in an extension. For other stores it \
            prints what to add. Types of the state and the actions become Codable, where the compiler can write that by \
            itself. Without a terminal it needs --yes.
            --undo restores the files byte for byte. It needs the file .statetape-init, which the command leaves in the \
            package; delete that file once you keep the edit.
            """
    )

    @Argument(help: ArgumentHelp("The package's folder.", valueName: "folder"))
    var folder = "."

    @Option(
        help: ArgumentHelp(
            "Where StateTape is: a folder with a clone, or the URL of a repository (default: the clone in which this"
                + " command was built).", valueName: "folder|url"))
    var package: String?

    @Option(
        help: ArgumentHelp(
            "The store, if there are several: its name, or its file and line, such as Sources/App/Cart.swift:12.",
            valueName: "type"))
    var store: String?

    @Flag(help: "Show the edit, and change nothing.")
    var dryRun = false

    @Flag(help: "Edit without asking.")
    var yes = false

    @Flag(help: "Restore the files that the command has changed.")
    var undo = false

    func validate() throws {
        guard [dryRun, yes, undo].count(where: { $0 }) <= 1 else {
            throw ValidationError("Pass only one of --dry-run, --yes and --undo.")
        }
    }

    func run() throws {
        let root = URL(named: folder, isDirectory: true).resolvingSymlinksInPath()
        // Here, and not with the lines to add by hand.
        guard Self.isFolder(root) else { throw Failure("There is no folder \(folder).") }
        if undo {
            let files = try UndoRecord.undo(in: root)
            return Output.line("Restored \(files.inSentence).")
        }
        guard !UndoRecord.exists(in: root) else {
            throw Failure(
                "`statetape init` has edited this package. Undo that with --undo, or delete \(UndoRecord.name) to keep it."
            )
        }
        var sources: PackageSources
        let manifest: ManifestEdit
        do {
            sources = try PackageSources(folder)
            manifest = try ManifestEdit(sources.manifest) { Self.isFolder(root.appendingPathComponent($0)) }
        } catch let failure as Failure {
            printLines()
            throw failure
        }
        guard !manifest.isOwn else { throw Failure("This package is StateTape itself.") }
        let targets = manifest.targets.filter { !manifest.has("StateTape", $0) }
        try sources.read(targets.map(\.folder))
        for path in sources.unread { Output.note("\(path) was not read: it is not UTF-8.") }
        if targets.count < manifest.targets.count, sources.stores().isEmpty {
            let names = manifest.targets.map(\.name).filter { name in !targets.contains { $0.name == name } }
            return Output.line(
                "\(names.inSentence) depend\(names.count == 1 ? "s" : "") on StateTape already: nothing was"
                    + " changed.")
        }
        let found = try choose(sources, targets.map(\.folder)) { printLines(nil, manifest, root) }
        guard case .edits(let edits, let elsewhere) = found.outcome else {
            printLines(found, manifest, root)
            throw Self.failure(found)
        }
        guard let target = manifest.target(of: found.source.path) else {
            throw Failure("\(found.source.path) belongs to no target of Package.swift.")
        }
        let location = manifest.dependsOnStateTape ? "" : try location(from: root)
        let types = CodableTypes(found.types, in: sources.files.filter { $0.target == found.source.target })
        var changes =
            [(source: sources.manifest, edits: try manifest.edits(target, location: location))]
            + [(found.source, edits), elsewhere].compactMap { $0 }.map { source, edits in
                (source: source, edits: (source.importing("StateTape").map { [$0] } ?? []) + edits)
            }
        for (source, edits) in types.edits {
            if let index = changes.firstIndex(where: { $0.source.path == source.path }) {
                changes[index].edits += edits
            } else {
                changes.append((source, edits))
            }
        }
        var files: [UndoRecord.File] = []
        Output.line("Found \(found.place).")
        for (source, edits) in changes {
            let new = source.applying(edits)
            UnifiedDiff(source.path, source.bytes, new).lines.forEach(Output.line)
            let path = try sources.writable(source.path).path.dropFirst(root.path.count + 1)
            files.append(.init(path: String(path), old: Data(source.bytes), new: Data(new)))
        }
        (types.notes + found.notes).forEach(Output.line)
        if sources.files.contains(where: { source in
            source.target == found.source.target
                && source.matches(#"\breadLine\s*\("#).contains { !source.isDetached($0.range.lowerBound) }
        }) {
            Output.line(
                "`readLine` on the main actor keeps it busy, so that the page can't apply a state: see *The app did not answer in"
                    + " time* in \(article("Troubleshooting")).")
        }
        if found.notes.contains(where: { $0.contains("recipes") }) {
            Output.line("The recipes are in \(article("Recipes")).")
        }
        if !manifest.hasPlatforms {
            Output.line("On a Mac, Package.swift also needs `platforms: [.macOS(.v13)]`, or a later system.")
        }
        if !manifest.dependsOnStateTape, !manifest.knowsTraits {
            Output.line(
                "Before swift-tools-version 6.1, a dependency can't leave StateTape's server out: SwiftPM then fetches the"
                    + " server's packages, too. To avoid that, raise the first line of Package.swift to 6.1, and run init again"
                    + (dryRun ? "." : ", after --undo if this edit is made."))
        }
        if dryRun { return Output.line("Nothing was changed.") }
        if !yes { try ask() }
        try UndoRecord(files: files).apply(in: root)
        let names = files.map(\.path)
        let undo = folder == "." ? "statetape init --undo" : "statetape init \(folder.shellPath) --undo"
        Output.line(
            "Changed \(names.inSentence). To undo this, run `\(undo)`."
                + " `\(UndoRecord.name)` has the old files for that: delete it once you keep the edit."
        )
        Output.line("To record, run `statetape serve`, and the app with STATETAPE_URL=http://127.0.0.1:8080.")
    }

    /// The store to connect.
    private func choose(_ sources: PackageSources, _ folders: [String], printLines: () -> Void) throws -> FoundStore {
        let all = sources.stores()
        let found = store.map { name in all.filter { $0.isNamed(name) } } ?? all
        if found.count == 1, let only = found.first { return only }
        guard !all.isEmpty else {
            let folders = folders.sorted().joined(separator: ", ")
            Output.line(
                "Looked in \(sources.files.count) Swift file\(sources.files.count == 1 ? "" : "s") of \(folders.isEmpty ? "no target" : folders) for:"
            )
            for kind in FoundStore.Kind.allCases { Output.line("  \(kind.pattern)") }
            printLines()
            throw Failure("No store was found.")
        }
        for store in all { Output.line("  \(store.place)") }
        throw Failure(
            store == nil
                ? "There are several stores. Choose one with --store, such as --store \(all[0].name)."
                : "\(found.isEmpty ? "No store is" : "Several stores are") named \(store ?? ""). Choose one of these with --store,"
                    + " by its file and line if two have one name.")
    }

    private static func failure(_ found: FoundStore) -> Failure {
        guard case .byHand(let reason) = found.outcome else { return Failure("") }
        return Failure("\(found.place) can't be edited by this command. \(reason)")
    }

    /// Prints the lines for a store that the command can't edit; without a manifest, only those of the source.
    private func printLines(_ found: FoundStore? = nil, _ manifest: ManifestEdit? = nil, _ root: URL? = nil) {
        let lines = found?.lines ?? FoundStore.anyLines
        if found?.isAddition == false {
            Output.line("Change these lines by hand:")
            return lines.forEach { Output.line("  \($0)") }
        }
        guard !lines.isEmpty else { return }
        Output.line("Add these lines by hand\(found == nil ? ", with the names of your app" : ""):")
        if let manifest, let root {
            let location = (try? location(from: root)) ?? "path: \"../StateTape\""
            var additions = manifest.additions(location)
            if lines.contains("import StateTapeStore") { additions.append(manifest.storeProduct) }
            for element in additions.dropFirst(manifest.dependsOnStateTape ? 1 : 0) {
                Output.line("  \(element.code)  // in Package.swift, to the dependencies of the \(element.owner)")
            }
        }
        for line in lines { Output.line("  \(line)") }
        Output.line("The recipes have the code for each kind of store: \(article("Recipes")).")
    }

    /// Where an article of StateTape's documentation is.
    private func article(_ name: String) -> String {
        let file = (try? clone())?.appendingPathComponent("Sources/StateTape/StateTape.docc/\(name).md").path
        return file ?? "\(name).md in StateTape.docc"
    }

    /// - Throws: `Failure` unless the user confirms in a terminal.
    private func ask() throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure("Nothing was changed: no terminal to confirm in. Pass --yes to make these changes.")
        }
        Output.ask("Make these changes? [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased().trimmingCharacters(in: .whitespaces)) else {
            // The user's own answer is no error.
            Output.note("Nothing was changed.")
            throw ExitCode.failure
        }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private func isURL(_ package: String) -> Bool { package.contains("://") || package.hasPrefix("git@") }

    /// Where StateTape is, as the arguments of a dependency.
    private func location(from root: URL) throws -> String {
        if let package, isURL(package) {
            return "url: \(ReplayTest.literal(package)), from: \"0.1.0\""
        }
        let clone = try clone()
        guard let text = try? String(contentsOf: clone.appendingPathComponent("Package.swift"), encoding: .utf8),
            text.contains("name: \"StateTape\"")
        else { throw Failure("\(clone.path) is not a clone of StateTape: its Package.swift doesn't say so.") }
        var (own, other) = (root.pathComponents[...], clone.pathComponents[...])
        while let first = own.first, first == other.first, own.count > 0 {
            own.removeFirst()
            other.removeFirst()
        }
        return "path: \(ReplayTest.literal((own.map { _ in ".." } + other).joined(separator: "/")))"
    }

    /// The folder of --package, or the clone in which this command was built.
    private func clone() throws -> URL {
        if let package, !isURL(package) {
            return URL(named: package, isDirectory: true).resolvingSymlinksInPath()
        }
        var folder = Executable.url.resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            if folder.lastPathComponent == ".build" { return folder.deletingLastPathComponent() }
            folder.deleteLastPathComponent()
        }
        throw Failure(
            "This command is not in a clone of StateTape: name one, or the URL of the repository, with --package.")
    }
}
