import TapeFormat

/// Keeps the app's own values of stored members that the tape doesn't have, because their coding leaves them out.
///
/// Decoding gives such a member its default value. The keeper copies the app's value over it, if the member is one that
/// coding loses: if the app's own value doesn't survive being encoded and decoded, and if decoding gives the same here as
/// there. So a member that `init(from:)` computes from the others stays as it was computed.
package struct MemberKeeper {
    private let members: UncodedMembers
    private(set) var kept: [String] = []
    private(set) var lost: [Adjustments.Loss] = []
    /// Members of types whose values turned out to survive coding, although no key has their name.
    private var survivors: Set<Survivor> = []

    private struct Survivor: Hashable {
        let type: ObjectIdentifier
        let name: String
    }

    init(_ members: UncodedMembers) {
        self.members = members
    }

    /// Copies what the tape lacks from the app's state into a decoded one. Called where the app's state may be used.
    package static func keep<Value>(_ outcome: inout Overlay.Outcome<Value>, from app: Value, _ redactor: Redactor) {
        guard let members = outcome.uncoded else { return }
        var keeper = MemberKeeper(members)
        EncodingMark.set {
            withUnsafeMutablePointer(to: &outcome.value) { new in
                withUnsafePointer(to: app) { app in
                    keeper.keep(
                        Value.self, in: UnsafeMutableRawPointer(new), from: UnsafeRawPointer(app), at: Pointer())
                }
            }
        }
        let found = redactor.readable(Adjustments(kept: keeper.kept, lost: keeper.lost))
        outcome.adjustments.kept += found.kept
        outcome.adjustments.lost += found.lost
    }

    /// Notes that a state can't be given the app's own values.
    package static func lose<Value>(_ outcome: inout Overlay.Outcome<Value>, _ reason: String, _ redactor: Redactor) {
        guard let members = outcome.uncoded else { return }
        let lost = members.places(in: Value.self).map {
            Adjustments.Loss(
                path: Pointer($0).description, reason: reason, instead: .default)
        }
        outcome.adjustments.lost += redactor.readable(Adjustments(lost: lost)).lost
    }

    // MARK: Values in memory

    /// Walks through two values of a type.
    mutating func keep(
        _ type: Any.Type, in new: UnsafeMutableRawPointer, from app: UnsafeRawPointer, at path: Pointer
    ) {
        var stack = ThreadStack()
        guard members.reaches(type), !stack.isNearlyFull() else { return }
        if let optional = type as? any OptionalValue.Type {
            guard let wrapped = optional.wrapped(at: UnsafeRawPointer(new)), optional.wrapped(at: app) != nil else {
                return
            }
            return keep(wrapped, in: new, from: app, at: path)
        }
        if let collection = type as? any MatchedCollection.Type {
            return collection.keep(&self, in: new, from: app, at: path)
        }
        let metadata = Metadata(type)
        if metadata.kind == .struct, members.isOfApp(type), let fields = fields(of: metadata) {
            return keep(type, fields, in: new, from: app, at: path)
        }
        lose(Box.value(type, at: UnsafeRawPointer(new)), Box.value(type, at: app), at: path)
    }

    private func fields(of metadata: Metadata) -> [Metadata.Field]? {
        if let known = members.known(metadata.type) { return known.fields.isEmpty ? nil : known.fields }
        guard !metadata.isForeign, let fields = metadata.fields, metadata.isFilled(by: fields) else { return nil }
        return fields
    }

    /// Walks through the members of two structs.
    private mutating func keep(
        _ type: Any.Type, _ fields: [Metadata.Field], in new: UnsafeMutableRawPointer, from app: UnsafeRawPointer,
        at path: Pointer
    ) {
        let known = members.known(type)
        var trips: RoundTrips?
        for (index, field) in fields.enumerated() where !field.isOwnedByCompiler {
            guard let fieldType = field.type else { continue }
            let (target, source) = (new + field.offset, app + field.offset)
            // A struct that was not decoded as such is only on the way to others.
            let key = known.map { $0.key(of: field.name, type: fieldType) } ?? field.name
            let isStrong = Fields.isStrong(index, of: type)
            if let key {
                let place = key.isEmpty ? path : path.appending(Redacted.escaped(key))
                if isStrong { keep(fieldType, in: target, from: source, at: place) }
                continue
            }
            let place = path.appending(uncoded: field.name)
            // Such a member does not have the form of its type.
            guard isStrong else {
                note(place, lost: "a weak or unowned reference can't be copied")
                continue
            }
            let survivor = Survivor(type: ObjectIdentifier(type), name: field.name)
            guard !survivors.contains(survivor) else { continue }
            func value(_ start: UnsafeRawPointer) -> Any { Box.value(fieldType, at: start + field.offset) }
            if Sameness.areSame(value(UnsafeRawPointer(new)), value(app)) { continue }
            let made = trips ?? RoundTrips(type, new: UnsafeRawPointer(new), app: app)
            trips = made
            switch made.verdict(value(UnsafeRawPointer(new)), value(app), value) {
            case .survives: survivors.insert(survivor)
            case .decoded: break
            case .unknown: note(place, lost: "the app's own value can't be encoded and decoded")
            case .isLost:
                Box.copy(fieldType, from: source, to: target)
                note(place)
            }
        }
    }

    // MARK: Values that can't be changed in memory

    /// Reports what is lost in a value whose members can't be set: an enum's, an instance's, a collection's of another
    /// module.
    private mutating func lose(_ new: Any, _ app: Any, at path: Pointer) {
        let (target, source) = (Mirror(reflecting: new), Mirror(reflecting: app))
        switch source.displayStyle {
        case .class: loseMembers(new, app, at: path)
        case .enum:
            guard let one = target.children.first, let other = source.children.first, one.label == other.label,
                let label = one.label
            else { return }
            let reason = "it is in a case of an enum, whose values can't be set one by one"
            let isTuple = Mirror(reflecting: one.value).displayStyle == .tuple
            let (values, own) =
                isTuple ? (parts(one.value), parts(other.value)) : ([("_0", one.value)], [("_0", other.value)])
            for ((name, value), (_, own)) in zip(values, own) {
                report(value, own, at: path.appending(label).appending(name), reason)
            }
        case .collection, .set: loseElements(source.children.map(\.value), at: path)
        default: break
        }
    }

    private func parts(_ tuple: Any) -> [(String, Any)] {
        Mirror(reflecting: tuple).children.enumerated().map { index, child in
            let name = Fields.name(child.label, index)
            return (UInt(name) == nil ? name : "_\(name)", child.value)
        }
    }

    /// Reports what the members of an instance lose.
    private mutating func loseMembers(_ new: Any, _ app: Any, at path: Pointer) {
        guard let known = members.known(type(of: app)), type(of: app) == type(of: new) else { return }
        var trips: (new: Any?, app: Any?)?
        var levels: [(new: Mirror, app: Mirror)] = []
        var next: (Mirror?, Mirror?) = (Mirror(reflecting: new), Mirror(reflecting: app))
        while case (let new?, let app?) = next {
            levels.append((new, app))
            next = (new.superclassMirror, app.superclassMirror)
        }
        for (depth, level) in levels.enumerated() {
            // Reading an unowned member whose instance is gone would end the app.
            guard Fields.references(in: level.app).isEmpty else { continue }
            for (index, (value, own)) in zip(level.new.children, level.app.children).enumerated() {
                guard let label = own.label, !Metadata.Field.isOwnedByCompiler(label) else { continue }
                let reason = "it is in an instance of a class, whose members can't be set"
                if let key = known.key(of: label, type: nil) {
                    report(value.value, own.value, at: path.appending(Redacted.escaped(key)), reason)
                    continue
                }
                if Sameness.areSame(value.value, own.value) { continue }
                let made = trips ?? (RoundTrips.made(from: new), RoundTrips.made(from: app))
                trips = made
                func member(_ whole: Any?) -> Any? {
                    var mirror = whole.map { Mirror(reflecting: $0) }
                    for _ in 0..<depth { mirror = mirror?.superclassMirror }
                    return mirror.flatMap { mirror in mirror.children.dropFirst(index).first?.value }
                }
                guard let back = member(made.app) else { continue }
                if !Sameness.areSame(back, own.value),
                    Sameness.areSame(value.value, back, again: member(made.new))
                {
                    note(path.appending(uncoded: label), lost: reason)
                }
            }
        }
    }

    /// Reports what the elements of the app's collection lose that no element of the new one can be matched with.
    mutating func loseElements(_ elements: [Any], at path: Pointer) {
        for element in elements.prefix(200) {
            guard members.reaches(type(of: element)), let back = RoundTrips.made(from: element) else { continue }
            report(back, element, at: path.appending("*"), "elements without an id can't be matched with the app's")
        }
    }

    /// Reports as lost what could be kept if the values were in a place that can be changed.
    private mutating func report(_ new: Any, _ app: Any, at path: Pointer, _ reason: String) {
        guard type(of: new) == type(of: app), members.reaches(type(of: app)) else { return }
        var dry = MemberKeeper(members)
        dry.survivors = survivors
        let (new, app) = (Box(new), Box(app))
        dry.keep(app.type, in: new.start, from: UnsafeRawPointer(app.start), at: path)
        survivors = dry.survivors
        for place in dry.kept { note(lost: place, reason) }
        for loss in dry.lost { note(lost: loss.path, loss.reason) }
    }

    // MARK: Reports

    /// Notes a member that is kept.
    private mutating func note(_ place: Pointer) {
        if kept.count < OverlayRepair.limit { kept.append(place.description) }
    }

    private mutating func note(_ place: Pointer, lost reason: String) { note(lost: place.description, reason) }

    private mutating func note(lost path: String, _ reason: String) {
        guard lost.count < OverlayRepair.limit, !lost.contains(where: { $0.path == path }) else { return }
        lost.append(Adjustments.Loss(path: path, reason: reason, instead: .default))
    }

    /// Whether the elements of arrays of this type can be told apart, and by what.
    func id(of element: Any) -> AnyHashable? {
        let type = type(of: element)
        if let known = members.known(type), known.uncoded.contains(where: { ["id", "_id"].contains($0.name) }) {
            return nil
        }
        func id<Value: Identifiable>(_ value: Value) -> AnyHashable? {
            // An instance's own address is another one after each decoding.
            Value.ID.self == ObjectIdentifier.self ? nil : AnyHashable(value.id)
        }
        if let value = element as? any Identifiable { return id(value) }
        let mirror = Mirror(reflecting: element)
        // Reading an unowned member whose instance is gone would end the app.
        guard !(type is AnyClass), Fields.references(in: mirror).isEmpty else { return nil }
        return mirror.children.first { $0.label == "id" || $0.label == "_id" }?.value as? AnyHashable
    }
}
