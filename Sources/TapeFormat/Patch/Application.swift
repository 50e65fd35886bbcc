/// Applies the operations of a patch one by one, within limits.
///
/// A short patch can cause unlimited work: copies that double the state, or insertions at the start of a long array. The
/// page's `patch.js` has the same limits, so that both give the same results.
struct Application {
    /// An array whose only element is the state, so that the state has a parent like all other values.
    private let root: OpenContainer
    private let maxSize: Int
    private var copied = 0
    private var work = 0

    init(_ state: consuming JSON, maxSize: Int) {
        // An array is never a scalar.
        self.init(OpenContainer(.array([state]))!, maxSize: maxSize)
    }

    init(_ root: OpenContainer, maxSize: Int) {
        (self.root, self.maxSize) = (root, maxSize)
    }

    /// Ends the application, and returns the patched state.
    consuming func finish() throws(Patch.Failure) -> JSON {
        let state = try root.remove(at: 0).close()
        if copied > 0 { _ = try footprint(of: state, at: Pointer(), maxText: maxSize) }
        return state
    }

    mutating func perform(_ operation: Patch.Operation) throws(Patch.Failure) {
        switch operation {
        case .add(let path, let value):
            try checkDepth(of: value, at: path)
            try add(.value(value), at: path)
        case .remove(let path): _ = try take(path)
        case .replace(let path, let value):
            let (container, position) = try find(path)
            try checkDepth(of: value, at: path)
            container.replace(at: position, by: .value(value))
        case .move(let from, let to): try move(from, to)
        case .copy(let from, let to):
            let (container, position) = try find(from)
            let value = try container.value(at: position)
            try count(value, at: to)
            try add(.value(value), at: to)
        case .test(let path, let expected):
            let (container, position) = try find(path)
            guard try container.value(at: position) == expected else {
                throw Patch.Failure(path: path.description, message: "the value differs from the tested one")
            }
        case .splice(let path, let at, let remove, let insert): try splice(path, at, remove, insert)
        }
    }

    private mutating func move(_ from: Pointer, _ to: Pointer) throws(Patch.Failure) {
        guard !to.isInside(from) else {
            throw Patch.Failure(path: to.description, message: "a value can't move into itself")
        }
        var content = try take(from)
        if to.tokens.count > from.tokens.count {
            let value = try content.close()
            try count(value, at: to)
            content = .value(value)
        }
        try add(content, at: to)
    }

    private mutating func splice(
        _ path: Pointer, _ at: Int, _ remove: Int, _ insert: String
    ) throws(Patch.Failure) {
        let (container, position) = try find(path)
        guard case .string(var text) = try container.value(at: position) else {
            throw Patch.Failure(path: path.description, message: "only a string can be spliced")
        }
        try spend(text.utf8.count, at: path)
        // Releases the container's reference, so that the text is changed in place.
        container.replace(at: position, by: .value(.null))
        guard text.splice(at: at, remove: remove, insert: insert) else {
            throw Patch.Failure(
                path: path.description, message: "the splice ends past the string or inside a character, at byte \(at)")
        }
        container.replace(at: position, by: .value(.string(text)))
    }

    private mutating func add(_ content: OpenContainer.Content, at path: Pointer) throws(Patch.Failure) {
        guard let token = path.tokens.last else { return root.replace(at: 0, by: content) }
        let parent = try parent(of: path)
        if parent.isObject {
            if let position = parent.position(of: token) {
                parent.replace(at: position, by: content)
            } else {
                parent.append(token, content)
            }
        } else {
            let index = token == "-" ? parent.count : Pointer.index(token)
            guard let index, index <= parent.count else { throw .absent(path) }
            try spend(2 * (parent.count - index), at: path)
            parent.insert(content, at: index)
        }
    }

    private mutating func take(_ path: Pointer) throws(Patch.Failure) -> OpenContainer.Content {
        guard !path.tokens.isEmpty else {
            throw Patch.Failure(path: "", message: "the whole value can't be removed")
        }
        let (container, position) = try find(path)
        if !container.isObject { try spend(2 * (container.count - position - 1), at: path) }
        return container.remove(at: position)
    }

    /// The container and position of a path.
    private func find(_ path: Pointer) throws(Patch.Failure) -> (OpenContainer, Int) {
        guard let token = path.tokens.last else { return (root, 0) }
        let parent = try parent(of: path)
        guard let position = parent.position(of: token) else { throw .absent(path) }
        return (parent, position)
    }

    /// The container of a path's parent.
    private func parent(of path: Pointer) throws(Patch.Failure) -> OpenContainer {
        guard var container = try root.child(at: 0) else { throw .absent(path) }
        for token in path.tokens.dropLast() {
            guard let position = container.position(of: token), let child = try container.child(at: position) else {
                throw .absent(path)
            }
            container = child
        }
        return container
    }

    private mutating func spend(_ amount: Int, at path: Pointer) throws(Patch.Failure) {
        work += amount
        guard work <= Patch.maxWork else {
            throw Patch.Failure(
                path: path.description, message: "the patch moves more array elements or text than one patch may")
        }
    }

    /// Counts copied values: all copies of a patch together must not exceed the limit of a state.
    private mutating func count(_ value: JSON, at path: Pointer) throws(Patch.Failure) {
        copied += try footprint(of: value, at: path, maxText: maxSize - copied).text
    }

    private func checkDepth(of value: JSON, at path: Pointer) throws(Patch.Failure) {
        switch value {
        case .array, .object: _ = try footprint(of: value, at: path, maxText: .max)
        case .null, .bool, .number, .string: break
        }
    }

    private func footprint(
        of value: JSON, at path: Pointer, maxText: Int
    ) throws(Patch.Failure) -> JSON.Footprint {
        do throws(JSON.Footprint.Excess) {
            return try JSON.Footprint(value, maxText: maxText, maxDepth: Limits.nesting - path.tokens.count)
        } catch {
            switch error {
            case .depth:
                throw Patch.Failure(
                    path: path.description, message: "the state would be nested deeper than \(Limits.nesting)")
            case .text:
                throw Patch.Failure(path: path.description, message: Patch.Failure.tooLarge(maxSize))
            }
        }
    }
}

extension Patch {
    /// The maximum work of one patch: two for each array element that an insertion or removal moves, and one for each byte
    /// of a spliced string. This much work takes one or two seconds.
    package static let maxWork = 1 << 30
}

extension Patch.Failure {
    static func absent(_ path: Pointer) -> Patch.Failure {
        Patch.Failure(path: path.description, message: "this place doesn't exist")
    }

    /// The message for a patch whose result exceeds `maxSize` bytes.
    package static func tooLarge(_ maxSize: Int) -> String {
        "the state would be larger than the limit of \(maxSize) bytes"
    }
}

extension String {
    /// Replaces a range of UTF-8 bytes.
    ///
    /// - Returns: False if a bound is after the end or inside a scalar.
    fileprivate mutating func splice(at: Int, remove: Int, insert: String) -> Bool {
        // `at + remove` may overflow.
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
