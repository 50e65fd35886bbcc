import TapeFormat

extension DirectNode {
    /// A container or an encoder inside this one.
    /// - Parameters:
    ///   - kind: `.nothing` for an encoder.
    ///   - key: The member's key; nil for an element.
    func nested(_ kind: DirectFrame.Kind, _ key: (any CodingKey)? = nil) -> DirectNode {
        guard frame.pointee.serial == serial, frame.pointee.kind == (key == nil ? .unkeyed : .keyed) else {
            return encoder.deadNode
        }
        guard frame.pointee.depth < DirectEncoder.depthLimit else {
            return encoder.fail(encoder.tooDeep(in: frame))
        }
        let mark = frame.mark
        let isLeftOut = (key.map { frame.pointee.member($0.stringValue) } ?? frame.pointee.element()) == nil
        let earlier = isLeftOut || kind == .nothing ? nil : frame.earlierMember
        if let earlier, let piece = frame.piece(in: earlier) {
            // As in Foundation's encoder, both are the same container.
            encoder.undo(frame, to: mark)
            return encoder.node(piece).open(kind)
        }
        if isLeftOut, frame.bytes.isOverLimit { return encoder.fail(encoder.tooLong(frame)) }
        let piece = encoder.detached(parent: frame, key: key)
        encoder.limit(piece, after: frame.pointee.lastPiece)
        frame.append(piece, isLeftOut: isLeftOut)
        piece.pointee.isLeftOutName = isLeftOut && frame.pointee.isNameLeftOut
        if piece.pointee.isLeftOutName {
            frame.pointee.isNameLeftOut = false
            piece.pointee.slice = nil
        }
        if kind != .nothing { piece.pointee.open(kind) }
        if let earlier, !encoder.copy(earlier, end: mark.count, to: piece) {
            return encoder.fail(encoder.misuse(piece, "two kinds of containers for one key"))
        }
        return encoder.node(piece)
    }
}

extension DirectFrame.Pointer {
    fileprivate func append(_ piece: DirectFrame.Pointer, isLeftOut: Bool) {
        piece.pointee.isLeftOut = isLeftOut
        piece.pointee.place = bytes.count
        if let last = pointee.lastPiece { last.pointee.next = piece } else { pointee.firstPiece = piece }
        pointee.lastPiece = piece
    }

    /// The earlier member with the same key as the last one.
    fileprivate var earlierMember: DirectPage.Entry? {
        guard pointee.kind == .keyed, pointee.mayRepeatKeys || pointee.collection == .dictionary else { return nil }
        let entries = pointee.page.pointee.entries
        let end = pointee.page.pointee.entryCount - 1
        let key = entries[end].start..<entries[end].keyEnd
        for index in stride(from: end - 1, through: pointee.firstEntry, by: -1)
        where entries[index].hash == entries[end].hash
            && bytes.order(entries[index].start..<entries[index].keyEnd, key) == 0
        {
            var entry = entries[index]
            entry.end = index + 1 < end ? entries[index + 1].start - 1 : 0
            return entry
        }
        return nil
    }

    fileprivate func piece(in entry: DirectPage.Entry) -> DirectFrame.Pointer? {
        var piece = pointee.firstPiece
        while let found = piece, found.pointee.place != entry.keyEnd + 1 { piece = found.pointee.next }
        return piece
    }
}

extension DirectEncoder {
    /// A frame with its own bytes.
    func detached(parent: Frame? = nil, key: (any CodingKey)? = nil) -> Frame {
        let frame = state.pointee.free ?? newDetached()
        state.pointee.free = frame.pointee.next
        frame.pointee.begin(nextSerial(), page: frame.pointee.page, parent: parent)
        frame.pointee.ownKey = key
        if let parent {
            frame.pointee.isPiece = true
            frame.pointee.writesMarkers = parent.pointee.writesMarkers
        }
        return frame
    }

    /// Limits a piece's bytes to what the pieces before it leave.
    fileprivate func limit(_ piece: Frame, after last: Frame?) {
        guard state.pointee.limit < .max else { return piece.bytes.limit(to: .max) }
        state.pointee.pieces += last?.bytes.count ?? 0
        piece.bytes.limit(to: state.pointee.limit - state.pointee.pieces)
    }

    private func newDetached() -> Frame {
        let page = UnsafeMutablePointer<DirectPage>.allocate(capacity: 1)
        page.initialize(to: DirectPage(names))
        let frame = Frame.allocate(capacity: 1)
        frame.initialize(to: DirectFrame(page: page))
        return frame
    }

    /// Returns a detached frame to the free list, with all frames below it.
    func release(_ frame: Frame) {
        releasePieces(of: frame, after: nil)
        let page = frame.pointee.page
        page.pointee.buffer.clear()
        page.pointee.bytes = BorrowedBytes(storage: page.pointee.buffer.storage)
        page.pointee.entryCount = 0
        frame.pointee.serial = 0
        frame.pointee.ownKey = nil
        frame.pointee.next = state.pointee.free
        state.pointee.free = frame
    }

    func releasePieces(of frame: Frame, after last: Frame?) {
        var piece = last.map(\.pointee.next) ?? frame.pointee.firstPiece
        while let found = piece {
            piece = found.pointee.next
            release(found)
        }
        if let last { last.pointee.next = nil } else { frame.pointee.firstPiece = nil }
        frame.pointee.lastPiece = last
    }

    /// Undoes all writes since a mark.
    func undo(_ frame: Frame, to mark: DirectFrame.Mark) {
        if frame.pointee.lastPiece != mark.lastPiece { releasePieces(of: frame, after: mark.lastPiece) }
        frame.bytes.truncate(to: mark.count)
        frame.pointee.page.pointee.entryCount = mark.entries
        frame.pointee.count = mark.elements
        frame.pointee.written = mark.written
    }

    /// Copies a container that was written before, to continue it.
    /// - Parameter end: Where the member ends if it is the last one.
    /// - Returns: Whether it is a container of the same kind.
    func copy(_ entry: DirectPage.Entry, end: Int, to piece: Frame) -> Bool {
        guard let parent = piece.pointee.parent else { return false }
        let range = entry.keyEnd + 1..<(entry.end > 0 ? entry.end : end)
        let text = parent.bytes.withBytes(range) { [UInt8]($0) }
        switch (piece.pointee.kind, try? JSON(parsing: text)) {
        case (.keyed, .object(let members)?):
            for member in members {
                piece.pointee.member(Redacted.unescaped(member.key))?.append(utf8: member.value.text)
            }
        case (.unkeyed, .array(let elements)?):
            for element in elements { piece.pointee.element()?.append(utf8: element.text) }
        default: return false
        }
        return true
    }
}
