package import TapeFormat

/// Replaces what an old state has and the app's types no longer read.
///
/// A place whose value does not decode takes the initial state's value, else nil, else an empty value of its type. If none
/// fits, the place around it is replaced. An element takes values of the initial state's element with its `id` or key, and
/// never those of another element.
package final class OverlayRepair {
    /// Where a repair was, to take back what an attempt noted.
    struct Mark {
        fileprivate let lost: Int
        fileprivate let members: Set<String>
    }

    private struct Exhausted: Error {}

    /// The most places in a report, which a person reads.
    package static let limit = 100
    /// The most levels of empty values inside each other. A class that requires itself has no end.
    private static let deepest = 16
    private static let standIns: [JSON] = ["", 0, false, [], [:]]

    private(set) var lost: [Adjustments.Loss] = []
    /// Members of the state itself that are lost.
    private(set) var members: Set<String> = []
    /// How many values may still be read: foreign data must not keep the app busy.
    private var left: Int
    /// By type, the stand-in that was its empty value.
    private var empties: [ObjectIdentifier: Int] = [:]
    /// The depth at which empty values end; nil outside of them.
    private var deepest: Int?

    /// - Parameter values: How many values the state has.
    init(values: Int) {
        left = 1_000 + 32 * values
    }

    /// Counts a value that is about to be read.
    func spend(at depth: Int) throws {
        left -= 1
        if left < 0 || depth > deepest ?? .max { throw Exhausted() }
    }

    /// A secret in whose place a launch has the initial state's value.
    package static func initialSecret(_ path: String) -> Adjustments.Loss {
        Adjustments.Loss(
            path: path, reason: OverlayDecoder.secretReason, instead: .initial, isSecret: true)
    }

    var mark: Mark { Mark(lost: lost.count, members: members) }

    func rewind(to mark: Mark) {
        lost.removeSubrange(mark.lost...)
        members = mark.members
    }

    /// Notes a lost place.
    func lose(_ place: OverlayDecoder, _ error: any Error, _ instead: Adjustments.Substitute) {
        guard deepest == nil else { return }
        let path = place.codingPath.pointer
        if place.codingPath.count == 1 { members.insert(path) }
        guard lost.count < Self.limit else { return }
        let failure = Overlay.failure(error)
        var loss = Adjustments.Loss(
            path: path, reason: failure.message, instead: instead, isSecret: place.json.isRedacted)
        if failure.path != path { loss.cause = failure.path }
        loss.tellsSecret = !SecretLeftOut.isCause(of: error)
        lost.append(loss)
    }

    /// Returns the value to use where the tape's does not decode.
    ///
    /// - Throws: The error, if no value fits.
    func replacement<Value: Decodable>(
        _ type: Value.Type, at place: OverlayDecoder, after error: any Error
    ) throws -> Value {
        guard left > 0, !place.codingPath.isEmpty, let (value, instead) = substitute(type, at: place) else {
            throw error
        }
        // A member that the tape lacks is filled in, not lost.
        if place.isMissing { place.trace?.fill(place.codingPath) } else { lose(place, error, instead) }
        return value
    }

    private func substitute<Value: Decodable>(_ type: Value.Type, at place: OverlayDecoder) -> (
        Value, Adjustments.Substitute
    )? {
        if place.json.isRedacted, let none = Self.none(type) { return (none, .null) }
        if let value = place.initial.flatMap({ try? place.replaced(by: $0, over: $0).value(type) }) {
            return (value, .initial)
        }
        if let none = Self.none(type) { return (none, .null) }
        // A case that stands for another one would be a value that nobody chose.
        if place.isMissing, let first = Self.firstCase(type, at: place) { return (first, .empty) }
        return Metadata(type).kind == .enum ? nil : empty(type, at: place).map { ($0, .empty) }
    }

    /// The first case without a value of an enum that the tape does not have, as with a new member.
    private static func firstCase<Value: Decodable>(_ type: Value.Type, at place: OverlayDecoder) -> Value? {
        let metadata = Metadata(type)
        guard metadata.kind == .enum else { return nil }
        if let all = type as? any CaseIterable.Type, let first = all.firstCase as? Value { return first }
        guard let name = metadata.fields?.first(where: { $0.type == nil })?.name else { return nil }
        let texts: [JSON] = [.string(name), .object(JSON.Object([(name, .object(JSON.Object()))])), 0, 1]
        return texts.lazy.compactMap { try? place.replaced(by: $0).own(type) }.first
    }

    private static func none<Value>(_ type: Value.Type) -> Value? {
        (type as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Value }
    }

    private func empty<Value: Decodable>(_ type: Value.Type, at place: OverlayDecoder) -> Value? {
        let isOutermost = deepest == nil
        if isOutermost { deepest = place.codingPath.count + Self.deepest }
        defer { if isOutermost { deepest = nil } }
        let known = empties[ObjectIdentifier(type)]
        for index in known.map({ $0..<$0 + 1 }) ?? Self.standIns.indices {
            guard let value = try? place.replaced(by: Self.standIns[index], repair: self).own(type) else { continue }
            empties[ObjectIdentifier(type)] = index
            return value
        }
        return nil
    }
}

extension CaseIterable {
    fileprivate static var firstCase: Any? { allCases.first }
}
