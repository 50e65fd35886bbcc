import TapeFormat

/// Selects the events that meet all conditions.
///
/// Several conditions with one name are ORed, but `q` and `re` are ANDed. A `-` before the name negates a condition.
package struct EventFilter: Sendable {
    /// A condition on the bookmarks of events.
    package struct Bookmarks: Sendable {
        private let seqs: Set<Int>
        private let areWanted: Bool

        /// - Parameter areWanted: Whether events with a bookmark pass, or those without.
        package init(_ seqs: Set<Int>, areWanted: Bool) {
            self.seqs = seqs
            self.areWanted = areWanted
        }

        /// A gap passes with the bookmarks of all its events.
        fileprivate func passes(_ head: EventHead) -> Bool {
            let isMarked = head.count == 1 ? seqs.contains(head.seq) : seqs.contains { head.first...head.seq ~= $0 }
            return isMarked == areWanted
        }
    }

    /// An invalid condition, or one that takes too long.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The names of the conditions; each may be repeated.
    package static let names = ["type", "store", "level", "cause", "q", "re", "path", "value"].flatMap {
        [$0, "-" + $0]
    }

    private static let maxConditions = 32
    private static let maxLength = 1_000

    private var types = Conditions<NamePattern>(areAlternatives: true)
    private var stores = Conditions<NamePattern>(areAlternatives: true)
    private var levels = Conditions<NamePattern>(areAlternatives: true)
    private var causes = Conditions<Int>(areAlternatives: true)
    private var texts = Conditions<TextSearch>(areAlternatives: false)
    private var patterns = Conditions<any LinePattern>(areAlternatives: false)
    private var paths = Conditions<TouchedPath>(areAlternatives: true)
    private var values = Conditions<ValueSearch>(areAlternatives: true)
    private var bookmarks: Bookmarks?

    /// Makes a filter that all events pass.
    package init() {}

    /// - Parameters:
    ///   - conditions: Conditions with ``names``; other names are ignored.
    ///   - bookmarks: The condition on bookmarks, if there is one.
    ///   - pattern: Compiles a regular expression.
    /// - Throws: ``Failure`` with the condition's name and the reason.
    package init(
        _ conditions: [(name: String, value: String)], bookmarks: Bookmarks? = nil,
        pattern: (String) throws -> any LinePattern
    ) throws(Failure) {
        self.bookmarks = bookmarks
        try Self.read("type", conditions, to: &types) { NamePattern($0, endsAtSlash: true) }
        try Self.read("store", conditions, to: &stores) { NamePattern($0) }
        try Self.read("level", conditions, to: &levels) { NamePattern($0) }
        try Self.read("cause", conditions, to: &causes) { try Self.seq($0) }
        try Self.read("q", conditions, to: &texts) { TextSearch($0) }
        try Self.read("re", conditions, to: &patterns, pattern)
        try Self.read("path", conditions, to: &paths) { try TouchedPath($0) }
        try Self.read("value", conditions, to: &values) { ValueSearch($0) }
    }

    private static func read<Condition>(
        _ name: String, _ all: [(name: String, value: String)], to conditions: inout Conditions<Condition>,
        _ make: (String) throws -> Condition
    ) throws(Failure) {
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
        conditions.wanted = try read(name)
        conditions.unwanted = try read("-" + name)
    }

    private static func seq(_ text: String) throws(Failure) -> Int {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let seq = Int(text),
            seq <= Limits.seq
        else { throw Failure(description: "it must be the number of an event") }
        return seq
    }

    /// Whether all events pass.
    package var isEmpty: Bool { !readsHeads && !readsLines }

    /// Whether a condition needs no line.
    private var readsHeads: Bool {
        !(types.isEmpty && stores.isEmpty && levels.isEmpty && causes.isEmpty) || bookmarks != nil
    }

    /// Whether the filter needs lines, not only heads.
    package var readsLines: Bool { !texts.isEmpty || !patterns.isEmpty || !paths.isEmpty || !values.isEmpty }

    /// Whether a text search in whole batches can skip them before their heads are read.
    package var skipsBatches: Bool {
        !(texts.wanted.isEmpty && values.wanted.isEmpty) && !readsHeads && paths.isEmpty
    }

    /// Whether an event passes, from its head; nil if the line is needed.
    package func passes(_ head: EventHead) -> Bool? {
        guard types.isEmpty || types.passes({ head.type.map($0.matches) ?? false }),
            stores.isEmpty || stores.passes({ $0.matches(head.store) }),
            levels.isEmpty || passesLevels(EventLevel.of(head)), causes.isEmpty || passesCauses(head.cause),
            bookmarks?.passes(head) ?? true
        else { return false }
        guard !paths.isEmpty else { return readsLines ? nil : true }
        let isDecided = paths.decided { $0.isMet(by: head) }
        return isDecided == true && !(texts.isEmpty && patterns.isEmpty && values.isEmpty) ? nil : isDecided
    }

    private func passesLevels(_ level: String?) -> Bool {
        levels.passes { level.map($0.matches) ?? false }
    }

    private func passesCauses(_ cause: Int?) -> Bool {
        causes.passes { $0 == cause }
    }

    /// Whether any line of a batch may pass.
    package func mayPass(_ lines: ArraySlice<UInt8>) -> Bool {
        guard !texts.wanted.isEmpty || !values.wanted.isEmpty else { return true }
        let folded = lines.folded
        return values.arePassed { $0.mayBeFound(inLines: lines, folded: folded[...]) }
            && texts.arePassed { $0.isFound(inFolded: folded[...]) }
    }

    /// Whether a line passes, if its head didn't decide.
    ///
    /// - Parameter isCancelled: Whether the client has gone.
    /// - Throws: ``Failure`` if a regular expression takes too long; ``SearchLimit/Cancelled``.
    package func passes(
        _ line: ArraySlice<UInt8>, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> Bool {
        let folded = texts.isEmpty && values.wanted.isEmpty ? [] : line.folded
        guard passesTexts(line, folded),
            try patterns.isEmpty || passesPatterns(line, SearchLimit(isCancelled: isCancelled)),
            values.arePassed({ $0.mayBeFound(inLines: line, folded: folded[...]) })
        else { return false }
        guard !paths.isEmpty || !values.isEmpty else { return true }
        let line = try EventLine(parsing: Array(line))
        let places = paths.isEmpty ? nil : TouchedPath.places(in: line)
        return paths.passes { $0.isMet(by: places) } && values.passes { $0.isFound(in: line) }
    }

    private func passesTexts(_ line: ArraySlice<UInt8>, _ folded: [UInt8]) -> Bool {
        texts.passes { text in
            text.isFound(inFolded: folded[...])
                && LineWords.contain(in: line) { text.isFound(inFolded: folded[$0]) }
        }
    }

    private func passesPatterns(_ line: ArraySlice<UInt8>, _ limit: SearchLimit) throws -> Bool {
        do {
            return try patterns.passes { try $0.isFound(in: line, limit) }
        } catch  where !(error is SearchLimit.Cancelled) {
            throw Failure(description: "“re” can't be used: \(error).")
        }
    }
}
