extension Patch {
    /// A patch that doesn't fit the value it was applied to.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// The place that the failing operation names.
        public let path: String
        /// What doesn't fit there.
        public let message: String

        public var description: String { "\(message), at “\(path)”" }
    }

    /// Applies the patch; on failure the value is unchanged.
    ///
    /// - Throws: `Failure` with the place, and leaves the value as it was: never a half-patched state.
    public func apply(to state: inout JSON) throws(Failure) {
        state = try applied(to: state)
    }

    /// Applies the patch to a value that the caller gives away, which saves copying what the patch touches.
    ///
    /// - Throws: `Failure` with the place.
    public func applied(to state: consuming JSON) throws(Failure) -> JSON {
        for operation in operations { try state.apply(operation) }
        return state
    }
}

extension JSON {
    fileprivate mutating func apply(_ operation: Patch.Operation) throws(Patch.Failure) {
        switch operation {
        case .add(let path, let value): try add(value, at: path)
        case .remove(let path): _ = try take(path)
        case .replace(let path, let value):
            try edit(path, path.tokens[...]) { (place) throws(Patch.Failure) in place = value }
        case .move(let from, let to):
            guard !to.isInside(from) else { throw Patch.Failure(path: to.description, message: "a move into itself") }
            try add(try take(from), at: to)
        case .copy(let from, let to):
            guard let value = self[from] else { throw .absent(from) }
            try add(value, at: to)
        case .test(let path, let expected):
            guard let value = self[path] else { throw .absent(path) }
            guard value == expected else {
                throw Patch.Failure(path: path.description, message: "another value than tested")
            }
        case .splice(let path, let at, let remove, let insert):
            try edit(path, path.tokens[...]) { (place) throws(Patch.Failure) in
                guard case .string(var text) = place else {
                    throw Patch.Failure(path: path.description, message: "splice of what is no string")
                }
                place = .null
                guard text.splice(at: at, remove: remove, insert: insert) else {
                    throw Patch.Failure(
                        path: path.description, message: "splice past the end or inside a scalar, at byte \(at)")
                }
                place = .string(text)
            }
        }
    }

    /// Changes the value at a place. Takes each container out of its parent on the way, so that none is copied. Not by
    /// `switch`: it keeps a second reference to what it looks at, and each container would be copied whole.
    private mutating func edit(
        _ path: Pointer, _ tokens: ArraySlice<String>, _ body: (inout JSON) throws(Patch.Failure) -> Void
    ) throws(Patch.Failure) {
        guard let token = tokens.first else { return try body(&self) }
        if case .object(var object) = self {
            guard let position = object.position(of: token) else { throw .absent(path) }
            self = .null
            try object.members[position].value.edit(path, tokens.dropFirst(), body)
            self = .object(object)
        } else if case .array(var elements) = self {
            guard let index = Pointer.index(token), index < elements.count else { throw .absent(path) }
            self = .null
            try elements[index].edit(path, tokens.dropFirst(), body)
            self = .array(elements)
        } else {
            throw .absent(path)
        }
    }

    /// Changes the container that holds a place.
    private mutating func editParent(
        of path: Pointer, _ body: (inout JSON, String) throws(Patch.Failure) -> Void
    ) throws(Patch.Failure) {
        guard let last = path.tokens.last else {
            throw Patch.Failure(path: "", message: "the whole value has no parent")
        }
        try edit(path, path.tokens.dropLast()) { (parent) throws(Patch.Failure) in try body(&parent, last) }
    }

    private mutating func add(_ value: JSON, at path: Pointer) throws(Patch.Failure) {
        guard !path.tokens.isEmpty else {
            self = value
            return
        }
        try editParent(of: path) { (parent, token) throws(Patch.Failure) in
            if case .object(var object) = parent {
                parent = .null
                object[token] = value
                parent = .object(object)
            } else if case .array(var elements) = parent {
                let index = token == "-" ? elements.count : Pointer.index(token)
                guard let index, index <= elements.count else { throw .absent(path) }
                parent = .null
                elements.insert(value, at: index)
                parent = .array(elements)
            } else {
                throw .absent(path)
            }
        }
    }

    private mutating func take(_ path: Pointer) throws(Patch.Failure) -> JSON {
        var taken = JSON.null
        try editParent(of: path) { (parent, token) throws(Patch.Failure) in
            if case .object(var object) = parent {
                guard let position = object.position(of: token) else { throw .absent(path) }
                parent = .null
                taken = object.members.remove(at: position).value
                parent = .object(object)
            } else if case .array(var elements) = parent {
                guard let index = Pointer.index(token), index < elements.count else { throw .absent(path) }
                parent = .null
                taken = elements.remove(at: index)
                parent = .array(elements)
            } else {
                throw .absent(path)
            }
        }
        return taken
    }
}

extension Patch.Failure {
    fileprivate static func absent(_ path: Pointer) -> Patch.Failure {
        Patch.Failure(path: path.description, message: "no such place")
    }
}

extension String {
    /// Replaces bytes of the UTF-8; false where an end lies past the string's or inside a scalar.
    fileprivate mutating func splice(at: Int, remove: Int, insert: String) -> Bool {
        // The sum of the two may be more than an `Int` holds.
        guard at <= utf8.count, remove <= utf8.count - at, let start = scalarBoundary(at),
            let end = scalarBoundary(at + remove)
        else { return false }
        replaceSubrange(start..<end, with: insert)
        return true
    }

    private func scalarBoundary(_ offset: Int) -> String.Index? {
        guard let index = utf8.index(startIndex, offsetBy: offset, limitedBy: utf8.endIndex) else { return nil }
        return index.samePosition(in: unicodeScalars)
    }
}
