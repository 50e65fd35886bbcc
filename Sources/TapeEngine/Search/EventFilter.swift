import TapeFormat

/// Selects the events that meet all conditions.
///
/// Several `type` or `store` conditions are ORed, all others are ANDed. A `-` before the name negates a condition.
package struct EventFilter: Sendable {
    /// The conditions with one name, and the negated ones.
    private struct Conditions<Condition: Sendable>: Sendable {
        var wanted: [Condition] = []
        var unwanted: [Condition] = []

        var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

        func passes(_ meets: (Condition) -> Bool) -> Bool {
            wanted.allSatisfy(meets) && !unwanted.contains(where: meets)
        }
    }

    /// An invalid condition, or one that takes too long.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The names of the conditions; each may be repeated.
    package static let names = ["type", "store", "q", "re", "path", "value"].flatMap { [$0, "-" + $0] }

    private static let maxConditions = 32
    private static let maxLength = 1_000

    private var types = Conditions<NamePattern>()
    private var stores = Conditions<NamePattern>()
    private var texts = Conditions<TextSearch>()
    private var patterns = Conditions<any LinePattern>()
    private var paths = Conditions<TouchedPath>()
    private var values = Conditions<ValueSearch>()

    /// Makes a filter that all events pass.
    package init() {}

    /// - Parameters:
    ///   - conditions: Conditions with ``names``; other names are ignored.
    ///   - pattern: Compiles a regular expression.
    /// - Throws: ``Failure`` with the condition's name and the reason.
    package init(
        _ conditions: [(name: String, value: String)], pattern: (String) throws -> any LinePattern
    ) throws(Failure) {
        types = try Self.conditions("type", conditions) { NamePattern($0, endsAtSlash: true) }
        stores = try Self.conditions("store", conditions) { NamePattern($0) }
        texts = try Self.conditions("q", conditions) { TextSearch($0) }
        patterns = try Self.conditions("re", conditions, pattern)
        paths = try Self.conditions("path", conditions) { try TouchedPath($0) }
        values = try Self.conditions("value", conditions) { ValueSearch($0) }
    }

    private static func conditions<Condition>(
        _ name: String, _ all: [(name: String, value: String)], _ make: (String) throws -> Condition
    ) throws(Failure) -> Conditions<Condition> {
        func read(_ name: String) throws(Failure) -> [Condition] {
            // An empty path is the whole state; any other empty condition is ignored.
            let given = all.filter { $0.name == name }.map(\.value)
            let texts = given.filter { !$0.isEmpty || name.hasSuffix("path") }
            guard given.count <= maxConditions, texts.allSatisfy({ $0.utf8.count <= maxLength }) else {
                throw Failure(
                    description:
                        "“\(name)” may be used at most \(maxConditions) times, with at most \(maxLength) bytes each.")
            }
            do {
                return try texts.map(make)
            } catch {
                throw Failure(description: "“\(name)” can't be used: \(error).")
            }
        }
        return Conditions(wanted: try read(name), unwanted: try read("-" + name))
    }

    /// Whether all events pass.
    package var isEmpty: Bool { types.isEmpty && stores.isEmpty && !readsLines }

    /// Whether the filter needs lines, not only heads.
    package var readsLines: Bool { !texts.isEmpty || !patterns.isEmpty || !paths.isEmpty || !values.isEmpty }

    /// Whether a text search in whole batches can skip them before their heads are read.
    package var skipsBatches: Bool {
        !(texts.wanted.isEmpty && values.wanted.isEmpty) && types.isEmpty && stores.isEmpty && paths.isEmpty
    }

    /// Whether an event passes, from its head; nil if the line is needed.
    package func passes(_ head: Head) -> Bool? {
        if !types.isEmpty {
            func isMatch(_ pattern: NamePattern) -> Bool { head.type.map(pattern.matches) ?? false }
            guard types.wanted.isEmpty || types.wanted.contains(where: isMatch),
                !types.unwanted.contains(where: isMatch)
            else { return false }
        }
        if !stores.isEmpty {
            func isMatch(_ pattern: NamePattern) -> Bool { pattern.matches(head.store) }
            guard stores.wanted.isEmpty || stores.wanted.contains(where: isMatch),
                !stores.unwanted.contains(where: isMatch)
            else { return false }
        }
        guard !paths.isEmpty else { return readsLines ? nil : true }
        var isKnown = true
        for path in paths.wanted {
            guard let isMet = path.isMet(by: head) else { isKnown = false; continue }
            if !isMet { return false }
        }
        for path in paths.unwanted {
            guard let isMet = path.isMet(by: head) else { isKnown = false; continue }
            if isMet { return false }
        }
        return isKnown && texts.isEmpty && patterns.isEmpty && values.isEmpty ? true : nil
    }

    /// Whether any line of a batch may pass.
    package func mayPass(_ lines: ArraySlice<UInt8>) -> Bool {
        guard values.wanted.allSatisfy({ $0.mayBeFound(inLines: lines) }) else { return false }
        guard !texts.wanted.isEmpty else { return true }
        let folded = lines.folded
        return texts.wanted.allSatisfy { $0.isFound(inFolded: folded[...]) }
    }

    /// Whether a line passes, if its head didn't decide.
    ///
    /// - Parameter isCancelled: Whether the client has gone.
    /// - Throws: ``Failure`` if a regular expression takes too long; ``SearchLimit/Cancelled``.
    package func passes(
        _ line: ArraySlice<UInt8>, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> Bool {
        guard passesTexts(line), try patterns.isEmpty || passesPatterns(line, SearchLimit(isCancelled: isCancelled)),
            values.wanted.allSatisfy({ $0.mayBeFound(inLines: line) })
        else { return false }
        guard !paths.isEmpty || !values.isEmpty else { return true }
        let line = try EventLine(parsing: Array(line))
        let places = paths.isEmpty ? nil : TouchedPath.places(in: line)
        return paths.passes { $0.isMet(by: places) } && values.passes { $0.isFound(in: line) }
    }

    private func passesTexts(_ line: ArraySlice<UInt8>) -> Bool {
        guard !texts.isEmpty else { return true }
        let folded = line.folded
        return texts.passes { text in
            text.isFound(inFolded: folded[...])
                && LineWords.contain(in: line) { text.isFound(inFolded: folded[$0]) }
        }
    }

    private func passesPatterns(_ line: ArraySlice<UInt8>, _ limit: SearchLimit) throws -> Bool {
        do {
            for pattern in patterns.wanted where try !pattern.isFound(in: line, limit) { return false }
            for pattern in patterns.unwanted where try pattern.isFound(in: line, limit) { return false }
            return true
        } catch  where !(error is SearchLimit.Cancelled) {
            throw Failure(description: "“re” can't be used: \(error).")
        }
    }
}
