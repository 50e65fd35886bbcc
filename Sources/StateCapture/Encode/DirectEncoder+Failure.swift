// MARK: Errors of the app's types

extension DirectEncoder {
    func misuse(_ frame: Frame, _ what: String) -> EncodingError {
        state.pointee.needsWhole = true
        return .invalidValue((), .init(codingPath: frame.path, debugDescription: what))
    }

    func secondValue(_ frame: Frame) -> EncodingError {
        misuse(frame, "a second value is encoded in one place")
    }

    func tooDeep(in frame: Frame) -> EncodingError {
        if frame.pointee.depth < Self.depthLimit { state.pointee.isOutOfStack = true }
        return misuse(
            frame,
            frame.pointee.depth < Self.depthLimit
                ? "values are nested too deep for the stack of their thread (\(frame.pointee.depth) deep)"
                : "values are nested more than \(Self.depthLimit) deep")
    }

    /// Ends a member or an element that isn't written.
    ///
    /// - Throws: An error if the text is over its limit, which ends a loop over elements at once.
    @inline(never)
    func leaveOut(in frame: Frame) throws {
        guard frame.bytes.isOverLimit else { return }
        throw tooLong(frame)
    }

    /// The rest of the text isn't written, even if a value ignores the error.
    func tooLong(_ frame: Frame) -> EncodingError {
        frame.bytes.exhaust()
        state.pointee.isOverLimit = true
        return misuse(frame, "more than \(state.pointee.limit) bytes are encoded")
    }

    /// For a node that outlived its value: another value may use the frame by now.
    func ended() -> EncodingError {
        state.pointee.failure
            ?? .invalidValue(
                (),
                .init(codingPath: [], debugDescription: "a container or an encoder is used after its value has ended"))
    }

    /// Keeps an error for the end of the value, and returns a node to which nothing can be written.
    func fail(_ error: EncodingError) -> DirectNode {
        if !state.pointee.hasFailed { state.pointee.failure = error }
        state.pointee.hasFailed = true
        return deadNode
    }

    /// A node to which nothing can be written.
    var deadNode: DirectNode { DirectNode(encoder: self, frame: frames, serial: -1) }

    /// Encodes something beside the value that is being written, for which no failure counts.
    func aside<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (needsWhole, thrownIn, isOwnError) = (
            state.pointee.needsWhole, state.pointee.thrownIn, state.pointee.isOwnError
        )
        let (suspect, unencodable) = (state.pointee.suspect, state.pointee.unencodable)
        defer {
            (state.pointee.needsWhole, state.pointee.thrownIn) = (needsWhole, thrownIn)
            (state.pointee.isOwnError, state.pointee.suspect) = (isOwnError, suspect)
            state.pointee.unencodable = unencodable
        }
        return try body()
    }

    func forgetFailure() {
        guard state.pointee.hasFailed else { return }
        state.pointee.hasFailed = false
        state.pointee.failure = nil
    }
}

// MARK: Markers

extension DirectEncoder {
    /// Encodes a value again that has thrown, with markers in place of the values inside that throw.
    ///
    /// Only an error that no value catches leads here: where `JSONEncoder` would write something, the output is the same.
    /// Each time shows one more type that doesn't catch the errors of the values inside it.
    @inline(never)
    func runAgain<Value: Encodable>(_ value: Value, in root: Frame, after error: any Error) throws {
        let (known, error) = (state.pointee.unencodable, error)
        guard state.pointee.learn() else { throw error }
        state.pointee.pieces = 0
        do {
            try run(value, in: root)
        } catch {
            state.pointee.unencodable = known
            try runAgain(value, in: root, after: error)
        }
    }

    /// Notes an error that `encode(to:)` has thrown, after its value's bytes are taken back.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - writesMarkers: Whether the values inside it are written as markers if they throw.
    ///   - serial: The value's; 0 if it was not encoded.
    ///   - parent: That of the value around it.
    ///   - path: The keys that lead to the value.
    /// - Returns: Whether the value's marker was written, and encoding goes on.
    @inline(never)
    func mark(
        _ type: Any.Type, _ error: any Error, writesMarkers: Bool, serial: Int, in parent: Frame,
        _ path: @autoclosure () -> [any CodingKey]
    ) -> Bool {
        state.pointee.needsWhole = true
        forgetFailure()
        let isOwn = writesMarkers || serial == 0 || state.pointee.thrownIn != serial
        if !isOwn, state.pointee.isOwnError { state.pointee.suspect = ObjectIdentifier(type) }
        guard isOwn, parent.pointee.writesMarkers, !state.pointee.isOverLimit else {
            (state.pointee.thrownIn, state.pointee.isOwnError) = (owner(of: parent).pointee.serial, isOwn)
            return false
        }
        let unencodable = Unencodable(
            type == Reflected.self ? nil : type, error, at: path(), redactor)
        if state.pointee.unencodable.count < Self.maxUnencodable { state.pointee.unencodable.insert(unencodable) }
        let bytes = parent.bytes
        bytes.append("{\"")
        bytes.append(utf8: Unencodable.key)
        bytes.append("\":")
        bytes.append(quoted: unencodable.reason)
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    /// The frame of the value to which a nested container belongs.
    private func owner(of frame: Frame) -> Frame {
        var owner = frame
        while owner.pointee.isPiece, let parent = owner.pointee.parent { owner = parent }
        return owner
    }
}

extension DirectEncoder.State {
    /// - Returns: Whether the latest error shows a type that was not known to be leaky.
    fileprivate mutating func learn() -> Bool {
        guard !isOverLimit, let suspect, leaky.insert(suspect).inserted else { return false }
        (self.suspect, hasLeaky) = (nil, true)
        return true
    }

    mutating func forgetLeaky() {
        (leaky, hasLeaky) = ([], false)
    }
}
