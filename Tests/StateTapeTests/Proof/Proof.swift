import Foundation
import TapeFormat

@testable import StateCapture
@testable import StateTape

/// Follows random values of random types through random edits and compares each patched JSON with the encoder's.
struct Proof {
    /// Makes the capture of a chain: each chain has its own, as each store does.
    private let makeCapture: (Slice?) -> Capture
    private let redactor: Redactor
    /// Whether the values say secrets' names.
    private let saysNames: Bool
    /// Comparisons of two consecutive values.
    private(set) var cases = 0
    private(set) var types = 0
    /// Types that aren't values, which the recorder always encodes whole.
    private(set) var holders = 0
    private(set) var empty = 0
    /// Patches that change nothing, such as a replacement of nil by `.some(nil)`.
    private(set) var needless = 0
    /// Equal values with different texts: a set that writes itself into the encoder can't be ordered.
    private(set) var unordered = 0
    private(set) var operations: [String: Int] = [:]
    private(set) var failures: [ProofFailure] = []
    private let encoder = TreeEncoder()
    private let begin: (UInt64, Any.Type) -> Void

    /// - Parameter begin: Receives the seed and the type of each chain before it runs.
    init(
        of capture: @escaping (Slice?) -> Capture, redactor: Redactor = .none, sayingNames saysNames: Bool = false,
        begin: @escaping (UInt64, Any.Type) -> Void = { _, _ in }
    ) {
        self.redactor = redactor
        self.saysNames = saysNames
        makeCapture = capture
        self.begin = begin
    }

    /// Runs chains of edits, each with the next seed, until there are enough cases or failures. The shortest failures
    /// come first.
    mutating func run(seed: UInt64, cases limit: Int, failures most: Int = 12) {
        var seed = seed
        while cases < limit, failures.count < most {
            var random = Seeded(seed)
            let type = RandomType.make(&random, sayingNames: saysNames)
            types += 1
            begin(seed, type)
            if makeCapture(nil).isValue(type) {
                follow(type, seed: seed, &random)
            } else {
                holders += 1
            }
            seed &+= 1
        }
        failures.sort { $0.size < $1.size }
    }

    private mutating func follow<Value: Arbitrary>(_: Value.Type, seed: UInt64, _ random: inout Seeded) {
        var failure = ProofFailure(seed: seed, type: "\(Value.self)")
        do {
            var value = Value.random(&random, size: 6)
            failure.patterns = try .random(in: Value.normalised(encoder.tree(of: value)), &random)
            let slice = failure.patterns.slice(at: redactor.root)
            let capture = makeCapture(slice)
            var kept = try check(value, slice, capture, &failure)
            for step in 1...10 {
                failure.step = step
                let old = value
                value.change(&random)
                let oldJSON = kept
                failure.old = kept
                let bytes = try capture.patch(from: old, to: value)
                failure.patch = String(decoding: bytes, as: UTF8.self)
                let whole = try check(value, slice, capture, &failure)
                let patch = try Patch(JSON(parsing: bytes))
                if let secret = patch.json.secret(redactor) { throw Leak(place: secret) }
                if saysNames, failure.patch.contains("hunter") { throw Leak(place: "a value") }
                try patch.apply(to: &kept)
                guard kept == whole else { throw Mismatch(what: "the patched JSON", expected: whole, got: kept) }
                count(patch, isNeeded: oldJSON != whole)
            }
        } catch {
            failure.isMismatch = error is Mismatch
            failure.error = "\(error)"
            failures.append(failure)
        }
    }

    /// Compares the whole text with the encoder's.
    ///
    /// - Returns: Its JSON.
    private mutating func check<Value: Arbitrary>(
        _ value: Value, _ slice: Slice?, _ capture: Capture, _ failure: inout ProofFailure
    ) throws -> JSON {
        let expected = try Value.normalised(encoder.tree(of: value).captured(slice, redactor))
        failure.new = expected
        let text = try capture.text(of: value)
        let whole = try JSON(parsing: text)
        let normalised = Value.normalised(whole)
        guard normalised == expected else {
            throw Mismatch(what: "the whole text", expected: expected, got: normalised)
        }
        var copy = value
        copy.rebuild()
        if try capture.text(of: copy) != text { unordered += 1 }
        return whole
    }

    /// A secret in a patch, even if a later operation removes it.
    private struct Leak: Error {
        let place: String
    }

    private mutating func count(_ patch: Patch, isNeeded: Bool) {
        cases += 1
        if patch.isEmpty { empty += 1 } else if !isNeeded { needless += 1 }
        for case let name? in patch.json.array?.map({ $0["op"]?.string }) ?? [] { operations[name, default: 0] += 1 }
    }
}

extension Proof: CustomStringConvertible {
    var description: String {
        let counts = operations.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return """
            \(cases) cases, \(types) types (\(holders) hold classes), \(empty) empty patches, \(needless) needless, \
            \(unordered) unordered, \
            operations: \(counts.joined(separator: ", "))
            """
    }
}

extension Arbitrary {
    /// No edit, one, several, or an equal value in other storage.
    fileprivate mutating func change(_ random: inout Seeded) {
        switch random.below(10) {
        case 0: break
        case 1: rebuild()
        case 2, 3: for _ in 0..<3 { edit(&random) }
        default: edit(&random)
        }
    }
}
