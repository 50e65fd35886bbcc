import Foundation

/// The text of a JUnit XML file, to which properties are added. All other bytes stay as they are.
struct JUnitDocument {
    /// A `testcase` element.
    private struct Case {
        /// The `testsuite` elements around it, counted from the start of the file.
        let group: Int
        let suite: String
        let name: String
        /// Whether it is neither failed nor skipped. Maven's `flakyFailure` of an earlier run is not a failure.
        var hasPassed = true
        /// Whether this run or an earlier one that it names has failed.
        var hasFailed = false
        /// Where its properties go.
        var place: Place
    }

    private enum Place {
        /// Inside of `<properties>`.
        case properties(Int)
        /// After the start tag.
        case element(Int)
        /// In place of the `/>` of the case or of its properties.
        case emptyElement(Int)
        case emptyProperties(Int)

        var offset: Int {
            switch self {
            case .properties(let offset), .element(let offset), .emptyElement(let offset),
                .emptyProperties(let offset):
                offset
            }
        }
    }

    private let text: [UInt8]
    private var cases: [Case] = []
    /// The links by the index of their case.
    private var links: [Int: [String]] = [:]

    var hasChanged: Bool { !links.isEmpty }

    /// Finds the test cases.
    ///
    /// - Throws: `Failure` if the text isn't a JUnit file, or isn't complete.
    init(_ text: [UInt8]) throws {
        self.text = text
        var scanner = XMLScanner(text)
        var open: [(name: String, index: Int?)] = []
        var groups = 0
        while let tag = try scanner.next() {
            if open.isEmpty, !tag.isEnd, !["testsuites", "testsuite"].contains(tag.name) {
                throw Failure("it is not a JUnit XML file; its first element is <\(tag.name.prefix(50))>.")
            }
            if tag.isEnd {
                guard open.popLast()?.name == tag.name else {
                    throw scanner.failure("has an unexpected </\(tag.name.prefix(50))>")
                }
                continue
            }
            var index: Int?
            if tag.name == "testsuite" { groups += 1 }
            if let parent = open.last?.index {
                let isFailure = ["failure", "error"].contains(tag.name)
                if isFailure || tag.name == "skipped" { cases[parent].hasPassed = false }
                if isFailure || ["flakyFailure", "flakyError"].contains(tag.name) {
                    cases[parent].hasFailed = true
                }
            }
            if tag.name == "testcase" {
                index = cases.count
                cases.append(
                    Case(
                        group: groups, suite: tag.attributes["classname"] ?? "", name: tag.attributes["name"] ?? "",
                        place: tag.isEmpty ? .emptyElement(tag.end - 2) : .element(tag.end)))
            } else if tag.name == "properties", let parent = open.last?.index {
                cases[parent].place = tag.isEmpty ? .emptyProperties(tag.end - 2) : .properties(tag.end)
            }
            if !tag.isEmpty { open.append((tag.name, index)) }
        }
        if let last = open.last {
            throw Failure("it is not a JUnit XML file: it ends before </\(last.name.prefix(50))>.")
        }
        guard scanner.hasElement else { throw Failure("it is not a JUnit XML file: it has no element.") }
    }

    /// Adds a link to the test's cases; only to the failed ones, if there are some.
    ///
    /// - Returns: Whether the file has the test.
    @discardableResult
    mutating func add(_ link: String, toTest test: String, suite: String?) -> Bool {
        let found = indices(ofTest: test, suite: suite)
        let failed = found.filter { !cases[$0].hasPassed }
        for index in failed.isEmpty ? found : failed { links[index, default: []].append(link) }
        return !found.isEmpty
    }

    /// Whether a test has failed, and passed in the end: tools list a test that they run again once more, with the same
    /// name in the same suite. Other cases of the name, such as those for other arguments or on another device, must have
    /// passed, too.
    ///
    /// - Returns: Nil if the file lacks the test.
    func hasPassedLater(test: String, suite: String?) -> Bool? {
        struct Key: Hashable {
            let group: Int
            let suite: String
            let name: String
        }
        let found = indices(ofTest: test, suite: suite).map { cases[$0] }
        let repeats = Dictionary(grouping: found) { Key(group: $0.group, suite: $0.suite, name: $0.name) }
        // Nothing is run again after it has passed: those are other cases, whatever their name.
        let isRepeated = repeats.values.allSatisfy { !$0.dropLast().contains(where: \.hasPassed) }
        let hasPassed =
            found.allSatisfy(\.hasPassed) || isRepeated && repeats.values.allSatisfy { $0.last?.hasPassed == true }
        return found.isEmpty ? nil : hasPassed && found.contains(where: \.hasFailed)
    }

    private func indices(ofTest test: String, suite: String?) -> [Int] {
        cases.indices.filter {
            Self.plain(cases[$0].name) == Self.plain(test) && Self.isSame(cases[$0].suite, suite)
        }
    }

    /// A test's name without its parameters: Swift Testing writes `pays()`, XCTest `testPays`.
    private static func plain(_ name: String) -> Substring {
        name.firstIndex(of: "(").map { name[..<$0] } ?? name[...]
    }

    /// Whether a class name is that of a suite: `ModuleTests.CheckoutTests` of `CheckoutTests`.
    private static func isSame(_ name: String, _ suite: String?) -> Bool {
        guard let suite else { return true }
        func parts(_ name: String) -> [Substring] { name.split { $0 == "." || $0 == "/" } }
        let (one, other) = (parts(name), parts(suite))
        let count = min(one.count, other.count)
        return count > 0 && one.suffix(count) == other.suffix(count)
    }

    /// The text with the properties.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var copied = 0
        for (index, links) in links.sorted(by: { cases[$0.key].place.offset < cases[$1.key].place.offset }) {
            let place = cases[index].place
            bytes += text[copied..<place.offset]
            copied = place.offset
            let properties = links.map { "<property name=\"statetape\" value=\"\(Markup.xml($0))\"/>" }.joined()
            switch place {
            case .properties: bytes += properties.utf8
            case .element: bytes += "<properties>\(properties)</properties>".utf8
            case .emptyElement:
                bytes += "><properties>\(properties)</properties></testcase>".utf8
                copied += 2
            case .emptyProperties:
                bytes += ">\(properties)</properties>".utf8
                copied += 2
            }
        }
        return bytes + text[copied...]
    }
}
