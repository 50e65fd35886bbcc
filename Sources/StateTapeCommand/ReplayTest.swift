import TapeEngine
import TapeFormat

/// The Swift source of a test that replays a tape.
struct ReplayTest {
    let source: String

    /// Whether nothing is left to fill in.
    var isComplete: Bool { !source.contains("<#") }

    /// - Parameters:
    ///   - tape: The tape.
    ///   - part: The events that the test replays.
    ///   - file: The name of the tape's file, beside the test.
    /// - Throws: Errors from reading the tape.
    init(_ tape: OpenedTape, _ part: Range<Int>, file: String) throws {
        let secrets = try Self.secrets(in: tape, part)
        let names = tape.stores(upTo: part.upperBound - 1)
        var types = tape.header.types
        try tape.each(in: tape.seqs.lowerBound..<part.upperBound) { line in
            guard line.kind == .`init`, tape.header.types[line.store] == nil else { return true }
            types[line.store] = line["types"].flatMap(Header.StoreTypes.init)
            return true
        }
        let stores = TestedStores(tape.header, names.map { ($0, types[$0]) })
        let base = file.hasSuffix(".tape") ? String(file.dropLast(".tape".count)) : file
        var lines = stores.imports
        lines += ["@Test func \(Self.identifier(base))() {"]
        // Above the test, Swift Testing would print them with each of its failures.
        var remarks = ["// Replays \(Self.comment(tape.header))."]
        remarks += ["// The tape belongs in the folder Tapes beside Package.swift; in Xcode, beside this file."]
        remarks += stores.remarks
        if !secrets.isEmpty {
            remarks += ["// The tape lacks secrets. To replay their actions, replace .skippingSecrets() by"]
            let places = Set(secrets.values.joined()).sorted()
            remarks += places.map { "// .secret(\(Self.literal($0)), VALUE)" }
        }
        lines += remarks.map { "    " + $0 }
        for store in names {
            lines += ["    Replay(\(Self.literal(file)))"]
            if names.count > 1 { lines += ["        .store(\(Self.literal(store)))"] }
            if secrets[store] != nil { lines += ["        .skippingSecrets()"] }
            lines += ["        " + stores.verify(store)]
        }
        source = (lines + ["}", ""]).joined(separator: "\n")
    }

    /// The places of the actions' secrets that the tape lacks, by store.
    private static func secrets(in tape: OpenedTape, _ part: Range<Int>) throws -> [String: [String]] {
        var places: [String: [String]] = [:]
        try tape.each(in: part) { line in
            for place in line["action"]?.secretPlaces() ?? [] {
                let place = place.description
                if places[line.store]?.contains(place) != true { places[line.store, default: []].append(place) }
            }
            return true
        }
        return places
    }

    private static func comment(_ header: Header) -> String {
        let app = Markup.short(header.app.id.onOneLine, 60)
        let test = header.labels["test"].map { ", recorded by the test “\(Markup.short($0.onOneLine, 80))”" } ?? ""
        return "session \(header.session) of \(app)\(test)"
    }

    /// A function's name made from the letters of any script and the digits of a text, such as `paysOnce` for “pays once”.
    static func identifier(_ text: String) -> String {
        let words = text.split { !$0.isLetter && !("0"..."9").contains($0) }.map(String.init)
        let first = words.first.map { $0 == $0.uppercased() ? $0.lowercased() : $0.lowercasingFirst }
        var name = (first ?? "") + words.dropFirst().map(\.capitalizingFirst).joined()
        // A name can't begin with a digit; and a word of the language would need backticks.
        if name.first.map(\.isNumber) ?? true { name = "replay" + name.capitalizingFirst }
        return keywords.contains(name) ? name + "Replay" : name
    }

    /// A Swift string literal.
    static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control: "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static let keywords: Set<String> = [
        "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
        "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "package",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
        "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}

extension String {
    fileprivate var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }
    fileprivate var lowercasingFirst: String { prefix(1).lowercased() + dropFirst() }
}
