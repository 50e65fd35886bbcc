import TapeFormat

/// Which events are meant: those that pass every condition.
///
/// Several `type`s or `store`s mean any of them, several of the other conditions all of them; each has a negation with
/// `-` before its name, which no event may meet.
package struct EventFilter: Sendable {
    /// The conditions of one name, and of its negation.
    private struct Conditions<Condition: Sendable>: Sendable {
        var wanted: [Condition] = []
        var unwanted: [Condition] = []

        var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

        func passes(_ meets: (Condition) -> Bool) -> Bool {
            wanted.allSatisfy(meets) && !unwanted.contains(where: meets)
        }
    }

    /// What is wrong with a condition.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The names of conditions; each may be repeated.
    package static let names = ["type", "store", "q", "re", "path", "value"].flatMap { [$0, "-" + $0] }

    private static let maxConditions = 32
    private static let maxLength = 1_000

    private var types = Conditions<NamePattern>()
    private var stores = Conditions<NamePattern>()
    private var texts = Conditions<TextSearch>()
    private var patterns = Conditions<any LinePattern>()
    private var paths = Conditions<TouchedPath>()
    private var values = Conditions<ValueSearch>()

    /// Everything passes.
    package init() {}

    /// - Parameters:
    ///   - conditions: Of ``names``; others are left out.
    ///   - pattern: Compiles a regular expression.
    /// - Throws: ``Failure`` that names the condition and what is wrong with it.
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
            // A path may be empty, the whole state; any other condition without text is none.
            let given = all.filter { $0.name == name }.map(\.value)
            let texts = given.filter { !$0.isEmpty || name.hasSuffix("path") }
            guard given.count <= maxConditions, texts.allSatisfy({ $0.utf8.count <= maxLength }) else {
                throw Failure(
                    description: "“\(name)” may be given \(maxConditions) times, with \(maxLength) bytes each.")
            }
            do {
                return try texts.map(make)
            } catch {
                throw Failure(description: "“\(name)” can't be used: \(error).")
            }
        }
        return Conditions(wanted: try read(name), unwanted: try read("-" + name))
    }

    /// Whether everything passes.
    package var isEmpty: Bool { types.isEmpty && stores.isEmpty && !readsLines }

    /// Whether heads alone don't decide.
    package var readsLines: Bool { !texts.isEmpty || !patterns.isEmpty || !paths.isEmpty || !values.isEmpty }

    /// Whether looking for texts in whole batches decides before heads do.
    package var skipsBatches: Bool {
        !(texts.wanted.isEmpty && values.wanted.isEmpty) && types.isEmpty && stores.isEmpty && paths.isEmpty
    }

    /// What an event's head decides; nil if it takes the line.
    package func passes(_ head: Head) -> Bool? {
        if !types.isEmpty {
            func isMeant(_ pattern: NamePattern) -> Bool { head.type.map(pattern.matches) ?? false }
            guard types.wanted.isEmpty || types.wanted.contains(where: isMeant),
                !types.unwanted.contains(where: isMeant)
            else { return false }
        }
        if !stores.isEmpty {
            func isMeant(_ pattern: NamePattern) -> Bool { pattern.matches(head.store) }
            guard stores.wanted.isEmpty || stores.wanted.contains(where: isMeant),
                !stores.unwanted.contains(where: isMeant)
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

    /// Whether any of many lines together may pass.
    package func mayPass(_ lines: ArraySlice<UInt8>) -> Bool {
        guard values.wanted.allSatisfy({ $0.mayBeFound(inLines: lines) }) else { return false }
        guard !texts.wanted.isEmpty else { return true }
        let folded = lines.folded
        return texts.wanted.allSatisfy { $0.isFound(inFolded: folded[...]) }
    }

    /// What the line decides where its head didn't.
    ///
    /// - Parameter isCancelled: Whether nobody waits for the answer any more.
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
