import TapeFormat

@testable import StateCapture
@testable import StateTape

/// Follows random values that can't always be encoded, and compares what a recorder writes with the whole state.
struct FailingProof {
    private(set) var cases = 0
    /// States with a marker, those that can't be encoded at all, and those that JSONEncoder can encode.
    private(set) var (marked, refused, plain) = (0, 0, 0)
    private(set) var failures: [ProofFailure] = []
    private let layouts = Layouts()
    private let expected = TreeEncoder()

    /// Runs chains of edits, each with the next seed.
    mutating func run(seed: UInt64, cases limit: Int) {
        var seed = seed
        while cases < limit, failures.count < 3 {
            var random = Seeded(seed)
            let type = RandomType.make(&random, fails: true)
            if layouts.isValue(type) { follow(type, seed: seed, &random) }
            seed &+= 1
        }
    }

    private mutating func follow<Value: Arbitrary>(_: Value.Type, seed: UInt64, _ random: inout Seeded) {
        var failure = ProofFailure(seed: seed, type: "\(Value.self)")
        // After an error that a type catches, JSONEncoder may trap: it doesn't take back what was written before.
        let isComparable = !failure.type.contains("Catching")
        // Which types don't catch errors is learned from the values, and an unsorted dictionary has them in any order.
        let isOrdered = !failure.type.contains("Versioned")
        let codec = StateCodec<Value>(
            atOnce: { _ in nil }, write: { try $2.encode($0, slice: $1, to: $3) },
            compare: { try $2.difference(from: $0, to: $1, to: $3) },
            read: { (_, _, _) throws(Pushed.Failure) in throw Pushed.Failure(code: .unsupported, message: "") })
        var writer = StateWriter(codec, nil, layouts, .none)
        var (value, kept) = (Value.random(&random, size: 6), JSON.null)
        do {
            for step in 0...10 {
                (failure.step, failure.old) = (step, kept)
                if step > 0 { value.edit(&random) }
                cases += 1
                guard let whole = try? JSON(parsing: codec.text(of: value, nil, DirectEncoder(.none))) else {
                    refused += 1
                    guard !isComparable || (try? expected.tree(of: value)) == nil else { throw Refused() }
                    continue
                }
                failure.new = whole
                if whole.markedPlace != nil { marked += 1 }
                if isComparable, let tree = try? expected.tree(of: value) {
                    plain += 1
                    let (left, right) = (normalised(tree, Value.self), normalised(whole, Value.self))
                    guard left == right else { throw Mismatch(what: "the whole text", expected: left, got: right) }
                }
                try writer.write(.value(value)) { written, _ in
                    switch written {
                    case .full(let text):
                        failure.patch = "whole"
                        kept = (try? JSON(parsing: text)) ?? .null
                    case .patch(let text):
                        failure.patch = String(decoding: text, as: UTF8.self)
                        do { try Patch(JSON(parsing: text)).apply(to: &kept) } catch { failure.error = "\(error)" }
                    }
                    return true
                }
                if !isOrdered, kept.markedPlace != nil, whole.markedPlace != nil { continue }
                guard kept == whole else { throw Mismatch(what: "the recorded state", expected: whole, got: kept) }
            }
        } catch {
            failure.isMismatch = error is Mismatch
            failure.error += "\(error)"
            failures.append(failure)
        }
    }

    /// A set in sets is sorted by its elements, which are in order only after an earlier pass.
    private func normalised<Value: Arbitrary>(_ json: JSON, _: Value.Type) -> JSON {
        (0..<4).reduce(json) { json, _ in Value.normalised(json) }
    }

    /// JSONEncoder writes a value that the recorder refuses.
    private struct Refused: Error {}
}
