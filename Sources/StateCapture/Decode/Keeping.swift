package import TapeFormat

extension JSON {
    /// A pushed state with the app's current values in the place of ``Redacted`` and ``Unencodable`` ones.
    ///
    /// Members of an object, and so entries of a dictionary, match by name. Elements of an array match by their `id`
    /// (or `_id`). In an array of alternating keys and values, keys match each other, and a value matches by its key.
    /// Elements never match by index.
    ///
    /// - Parameters:
    ///   - current: The app's state; nil if it can't be read.
    ///   - missing: Returns the value for a place for which the app has none, given the marker.
    ///   - kept: Called with each place that gets the app's value.
    /// - Throws: `Pushed.Failure` with code `redacted`, or `decode`, and the pointer of such a place, unless `missing` has
    ///   a value.
    package func keeping(
        _ current: JSON?, at path: Pointer = Pointer(), missing: (Pointer, _ marker: JSON) -> JSON? = { _, _ in nil },
        kept: (Pointer) -> Void = { _ in }
    ) throws(Pushed.Failure) -> JSON {
        guard markedPlace != nil else { return self }
        if isMarker {
            if let current, !current.isUnencodable {
                kept(path)
                return current
            }
            if let value = missing(path, self) { return value }
            let message =
                isRedacted
                ? "a secret was left out of the tape here, and the app has none to keep in its place"
                : "the app could not encode this value when it was recorded, and has none to keep in its place"
            throw Pushed.Failure(
                code: isRedacted ? .redacted : .decode, message: message, path: path.description)
        }
        switch self {
        case .object(var object):
            for member in object {
                object[member.key] = try member.value.keeping(
                    current?[member.key], at: path.appending(member.key), missing: missing, kept: kept)
            }
            return .object(object)
        case .array(var elements):
            let counterparts = Counterparts(of: elements, in: current?.array ?? [])
            for index in elements.indices {
                elements[index] = try elements[index].keeping(
                    counterparts[index], at: path.appending(index), missing: missing, kept: kept)
            }
            return .array(elements)
        default: return self
        }
    }
}

extension JSON {
    func addRedactedNames(to names: inout Set<String>) {
        switch self {
        case .object(let object):
            for member in object {
                if member.value.isRedacted { names.insert(member.key) }
                member.value.addRedactedNames(to: &names)
            }
        case .array(let elements): for element in elements { element.addRedactedNames(to: &names) }
        case .null, .bool, .number, .string: break
        }
    }

    /// This value with the members of these names redacted, as the tape has it.
    func redacting(_ names: Set<String>) -> JSON {
        guard !names.isEmpty else { return self }
        switch self {
        case .object(var object):
            for member in object {
                object[member.key] = names.contains(member.key) ? Redacted.json : member.value.redacting(names)
            }
            return .object(object)
        case .array(let elements): return .array(elements.map { $0.redacting(names) })
        case .null, .bool, .number, .string: return self
        }
    }
}
