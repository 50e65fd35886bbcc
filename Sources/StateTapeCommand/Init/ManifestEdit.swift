import Foundation

/// The edits that add StateTape to a Package.swift.
struct ManifestEdit {
    /// A target of the manifest.
    struct Target {
        let name: String
        /// Its folder in the package.
        let folder: String
        fileprivate let arguments: [SwiftSource.Argument]
    }

    private let source: SwiftSource
    private let package: [SwiftSource.Argument]
    let targets: [Target]

    /// - Parameter hasFolder: Whether the package has a folder.
    /// - Throws: `Failure` if the manifest is written in a way that isn't understood.
    init(_ source: SwiftSource, hasFolder: (String) -> Bool) throws {
        self.source = source
        guard let call = source.matches(#"\bPackage\s*\("#).first else {
            throw Failure("\(source.path) has no call of Package(…).")
        }
        package = source.arguments(call.range.upperBound - 1)
        guard let list = package.first(where: { $0.label == "targets" }), source.code(list.value).hasPrefix("[")
        else {
            throw Failure("\(source.path) has no literal list of targets.")
        }
        let calls = source.arguments(list.value.lowerBound)
        targets = calls.compactMap { element in
            let (code, start) = (source.code(element.value), element.value.lowerBound)
            guard let open = code.utf8.firstIndex(of: UInt8(ascii: "(")),
                ["target", "executableTarget"].contains(
                    code[..<open].split(separator: ".").last.map { $0.trimmingCharacters(in: .whitespaces) })
            else { return nil }
            let arguments = source.arguments(start + code.utf8.distance(from: code.startIndex, to: open))
            func string(_ label: String) -> String? {
                arguments.first { $0.label == label }.flatMap { Self.string(source.text($0.value)) }
            }
            guard let name = string("name") else { return nil }
            // Where SwiftPM looks for a target without a path. A single target may have no folder of its own.
            let roots = ["Sources", "Source", "src", "srcs"]
            let folders = roots.map { "\($0)/\(name)" } + (calls.count == 1 ? roots : [])
            let folder = string("path") ?? folders.first(where: hasFolder) ?? "Sources/\(name)"
            return Target(name: name, folder: folder, arguments: arguments)
        }
    }

    /// The content of a string literal without escapes; nil for another expression.
    private static func string(_ text: String) -> String? {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""), !text.contains("\\") else { return nil }
        return String(text.dropFirst().dropLast())
    }

    private func argument(_ label: String, _ arguments: [SwiftSource.Argument]) -> SwiftSource.Argument? {
        arguments.first { $0.label == label }
    }

    /// The calls in a list, as their text.
    private func elements(_ list: SwiftSource.Argument?) -> [String] {
        guard let list, source.code(list.value).hasPrefix("[") else { return [] }
        return source.arguments(list.value.lowerBound).map { source.text($0.value) }
    }

    /// Whether the package is StateTape itself.
    var isOwn: Bool { argument("name", package).map { source.text($0.value) } == "\"StateTape\"" }

    /// Whether the package depends on StateTape: a dependency with that name, folder or address.
    var dependsOnStateTape: Bool {
        elements(argument("dependencies", package)).contains { element in
            element.split(separator: "\"").contains {
                let last = $0.split(separator: "/").last?.lowercased()
                return ["statetape", "statetape.git"].contains(last)
            }
        }
    }

    /// Whether a target has a product of StateTape.
    func has(_ product: String, _ target: Target) -> Bool {
        elements(argument("dependencies", target.arguments)).contains {
            $0 == "\"\(product)\""
                || $0.range(of: #"name:\s*"\#(product)""#, options: .regularExpression) != nil
        }
    }

    /// The target that a file belongs to.
    func target(of path: String) -> Target? {
        targets.filter { path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
    }

    /// Whether the manifest names the systems that the package runs on, without which Apple's oldest are assumed.
    var hasPlatforms: Bool { argument("platforms", package) != nil }

    /// Whether a dependency may name traits.
    var knowsTraits: Bool {
        let head = String(decoding: source.bytes.prefix(200), as: UTF8.self)
        let version = head.firstMatch(of: /swift-tools-version\s*:?\s*(\d+)\.(\d+)/)
        return version.map { (Int($0.1) ?? 0, Int($0.2) ?? 0) >= (6, 1) } ?? false
    }

    /// The edits for a target that shall record.
    ///
    /// - Parameter location: The arguments that say where StateTape is, such as `path: "../StateTape"`.
    func edits(_ target: Target, location: String) throws -> [SourceEdit] {
        var edits: [SourceEdit] = []
        let additions = additions(location)
        if !dependsOnStateTape {
            edits.append(try adding(additions[0].code, to: package, before: ["targets"], of: "Package"))
        }
        if !has("StateTape", target) {
            edits.append(try adding(additions[1].code, to: target.arguments, after: "name", of: target.name))
        }
        return edits
    }

    /// The elements of `dependencies`: of the package, and of a target that shall record.
    func additions(_ location: String) -> [(code: String, owner: String)] {
        let name = location.hasPrefix("path:") ? "name: \"StateTape\", " : ""
        return [
            (".package(\(name)\(location)\(knowsTraits ? ", traits: []" : ""))", "package"),
            (".product(name: \"StateTape\", package: \"StateTape\")", "target"),
        ]
    }

    /// The element for a target that uses this package's store.
    var storeProduct: (code: String, owner: String) {
        (".product(name: \"StateTapeStore\", package: \"StateTape\")", "target")
    }

    /// Adds an element to the argument `dependencies`, or that argument.
    private func adding(
        _ element: String, to arguments: [SwiftSource.Argument], before: [String] = [], after: String? = nil,
        of owner: String
    ) throws -> SourceEdit {
        if let list = argument("dependencies", arguments) {
            let open = list.value.lowerBound
            guard source.code(list.value).hasPrefix("["), source.closing(open) == list.value.upperBound - 1 else {
                throw Failure(
                    "The dependencies of \(owner) in \(source.path) are not a literal list. Add \(element) to them by hand."
                )
            }
            return inserting(element, in: open)
        }
        if let next = arguments.first(where: { before.contains($0.label ?? "") }) {
            let indent = source.indent(next.whole.lowerBound)
            let isOwnLine = source.lineStart(next.whole.lowerBound) + indent.utf8.count == next.whole.lowerBound
            return SourceEdit(
                next.whole.lowerBound, "dependencies: [\(element)],\(isOwnLine ? "\n\(indent)" : " ")")
        }
        guard let previous = arguments.first(where: { $0.label == after }) else {
            throw Failure("\(owner) in \(source.path) has no name.")
        }
        let indent = source.indent(previous.whole.lowerBound)
        let isOwnLine = source.lineStart(previous.whole.lowerBound) + indent.utf8.count == previous.whole.lowerBound
        return SourceEdit(
            previous.whole.upperBound, ",\(isOwnLine ? "\n\(indent)" : " ")dependencies: [\(element)]")
    }

    /// Adds an element at the end of a list.
    private func inserting(_ element: String, in open: Int) -> SourceEdit {
        guard let last = source.arguments(open).last, let end = source.closing(open) else {
            return SourceEdit(open + 1, element)
        }
        let rest = source.code(last.whole.upperBound..<end)
        let hasComma = rest.contains(",")
        // After a comma, and before a comment behind it.
        let place = last.whole.upperBound + (hasComma ? rest.prefix { $0 != "," }.utf8.count + 1 : 0)
        guard rest.contains(where: \.isNewline) else {
            return SourceEdit(place, "\(hasComma ? "" : ",") \(element)")
        }
        let indent = source.indent(last.whole.lowerBound)
        return SourceEdit(place, "\(hasComma ? "" : ",")\n\(indent)\(element)\(hasComma ? "," : "")")
    }
}
