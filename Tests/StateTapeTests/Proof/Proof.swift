import Foundation
import TapeFormat

@testable import StateTape

/// Follows random values of random types through random edits and compares each patched JSON with the encoder's.
struct Proof {
    let subject: any Subject
    /// Comparisons of two consecutive values.
    private(set) var cases = 0
    private(set) var types = 0
    /// Types that aren't values, which the recorder always encodes whole.
    private(set) var holders = 0
    private(set) var empty = 0
    private(set) var operations: [String: Int] = [:]
    private(set) var failures: [ProofFailure] = []
    private let encoder = TreeEncoder()

    init(of subject: any Subject) {
        self.subject = subject
    }

    /// Runs chains of edits, each of a seed of its own that follows on the one before, until there are enough cases or
    /// some have failed.
    mutating func run(seed: UInt64, cases limit: Int, failures most: Int = 3) {
        var seed = seed
        while cases < limit, failures.count < most {
            var random = Seeded(seed)
            let type = RandomType.make(&random)
            types += 1
            if subject.isValue(type) {
                follow(type, seed: seed, &random)
            } else {
                holders += 1
            }
            seed &+= 1
        }
    }

    private mutating func follow<Value: Arbitrary>(_: Value.Type, seed: UInt64, _ random: inout Seeded) {
        var failure = ProofFailure(seed: seed, type: "\(Value.self)")
        do {
            var value = Value.random(&random, size: 6)
            var kept = try check(value, &failure)
            for step in 1...10 {
                failure.step = step
                let old = value
                value.change(&random)
                let oldJSON = kept
                failure.old = kept
                let bytes = try subject.patch(from: old, to: value)
                failure.patch = String(decoding: bytes, as: UTF8.self)
                let whole = try check(value, &failure)
                let patch = try Patch(JSON(parsing: bytes))
                try patch.apply(to: &kept)
                guard kept == whole else { throw Mismatch(what: "the patched JSON", expected: whole, got: kept) }
                if oldJSON == whole, !patch.isEmpty {
                    throw Mismatch(what: "a patch that changes nothing", expected: [], got: patch.json)
                }
                count(patch)
            }
        } catch {
            failure.error = error
            failures.append(failure)
        }
    }

    /// Compares the whole text with the encoder's.
    ///
    /// - Returns: Its JSON.
    private func check<Value: Arbitrary>(_ value: Value, _ failure: inout ProofFailure) throws -> JSON {
        let expected = try Value.normalised(encoder.tree(of: value))
        failure.new = expected
        let text = try subject.text(of: value)
        let whole = try JSON(parsing: text)
        let normalised = Value.normalised(whole)
        guard normalised == expected else {
            throw Mismatch(what: "the whole text", expected: expected, got: normalised)
        }
        var copy = value
        copy.rebuild()
        let copied = try subject.text(of: copy)
        guard copied == text else {
            throw Mismatch(what: "the text of an equal value", expected: whole, got: try JSON(parsing: copied))
        }
        return whole
    }

    private mutating func count(_ patch: Patch) {
        cases += 1
        if patch.isEmpty { empty += 1 }
        for case let name? in patch.json.array?.map({ $0["op"]?.string }) ?? [] { operations[name, default: 0] += 1 }
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

/// Two trees that should be the same.
struct Mismatch: Error, CustomStringConvertible {
    let what: String
    let expected: JSON
    let got: JSON

    var description: String {
        "\(what) is wrong by \(Patch.between(expected, got).json.text)"
    }
}

/// A case that shows the subject wrong, with all that is needed to see it again.
struct ProofFailure: CustomStringConvertible {
    let seed: UInt64
    let type: String
    var step = 0
    var old = JSON.null
    var new = JSON.null
    var patch = ""
    var error: (any Error)?

    init(seed: UInt64, type: String) {
        self.seed = seed
        self.type = type
    }

    var description: String {
        """
        STATETAPE_SEED=\(seed), step \(step): \(error.map { "\($0)" } ?? "")
          type   \(type)
          old    \(old.text)
          new    \(new.text)
          patch  \(patch)
        """
    }
}
