#if Server
    import TapeEngine
    import TapeFormat

    /// The Swift source of a test that replays a tape.
    struct ReplayTest {
        let source: String

        /// - Parameters:
        ///   - tape: The tape.
        ///   - part: The events that the test replays.
        ///   - file: The name of the tape's file, beside the test.
        /// - Throws: Errors from reading the tape.
        init(_ tape: OpenedTape, _ part: Range<Int>, file: String) throws {
            let secrets = try Self.secrets(in: tape, part)
            let stores = tape.stores(upTo: part.upperBound - 1)
            let base = file.hasSuffix(".tape") ? String(file.dropLast(".tape".count)) : file
            var lines = [
                "import StateTapeTesting", "import Testing", "",
                "// Fill in the module that has the types of the state and the actions.", "@testable import <#App#>",
                "",
                "// Replays \(Self.comment(tape.header)).",
                "// Fill in your own names for the types and the reducer\(stores.count > 1 ? " of each store" : "").",
                "// `verify` runs the reducer on each action of the tape, and compares the states.",
            ]
            if !secrets.isEmpty {
                lines += [
                    "// The tape lacks secrets of some actions: supply the values, or skip these actions with",
                    "// .skippingSecrets() in place of .secret(…).",
                ]
            }
            lines += [
                "@Test func \(Self.identifier(base))() async throws {"
            ]
            let replay = "    try await Replay(\(Self.literal(file)))"
            if stores.count > 1 {
                for store in stores {
                    let type = Self.identifier(store).capitalizingFirst
                    let reducer = Self.identifier(store) + "Reducer"
                    lines += [
                        "\(replay).store(\(Self.literal(store)))"
                    ]
                    lines += Self.calls(secrets[store] ?? [])
                    lines += [
                        "        .verify(\(type)State.self, \(type)Action.self, reducer: \(reducer))"
                    ]
                }
            } else if let places = secrets.values.first {
                lines += [replay] + Self.calls(places)
                lines.append("        .verify(AppState.self, AppAction.self, reducer: appReducer)")
            } else {
                lines.append("\(replay).verify(AppState.self, AppAction.self, reducer: appReducer)")
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

        private static func calls(_ places: [String]) -> [String] {
            places.map { "        .secret(\(literal($0)), <#value#>)" }
        }

        private static func comment(_ header: Header) -> String {
            let test = header.labels["test"].map { ", recorded by the test “\($0)”" } ?? ""
            return String("session \(header.session) of \(header.app.id)\(test)".onOneLine.prefix(110))
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
#endif
