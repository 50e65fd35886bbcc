extension DirectEncoder {
    /// Ends a frame's value. Its bytes are then complete.
    func end(_ frame: Frame) {
        if frame.pointee.firstPiece != nil { splice(frame) }
        switch frame.pointee.kind {
        case .nothing: frame.bytes.append("{}")
        case .scalar: break
        case .keyed:
            if frame.pointee.meanings.isSuperset(of: .pair) { redactSiblings(frame) }
            if frame.pointee.mayRepeatKeys || frame.pointee.collection == .dictionary { arrange(frame) }
            frame.bytes.append(UInt8(ascii: "}"))
        case .unkeyed:
            if [.set, .dictionary].contains(frame.pointee.collection) { arrange(frame) }
            frame.bytes.append(UInt8(ascii: "]"))
        }
        frame.pointee.page.pointee.entryCount = frame.pointee.firstEntry
    }

    /// Inserts the bytes of the nested containers at their places.
    private func splice(_ frame: Frame) {
        guard let first = frame.pointee.firstPiece else { return }
        var next: Frame? = first
        while let piece = next {
            next = piece.pointee.next
            if !piece.pointee.isLeftOut {
                end(piece)
            } else if piece.pointee.isLeftOutName {
                end(piece)
                frame.pointee.noteLeftOut(piece.bytes.withBytes(0..<piece.bytes.count) { names.naming(json: $0) })
            }
        }
        let bytes = frame.bytes
        let page = frame.pointee.page
        let base = first.pointee.place
        // Usually nothing was written behind.
        scratch.truncate(to: 0)
        bytes.withBytes(base..<bytes.count) { scratch.append($0) }
        bytes.truncate(to: base)
        var cursor = base
        var entry = frame.pointee.firstEntry
        var shift = 0
        func copy(upTo place: Int) {
            scratch.withBytes(cursor - base..<place - base) { bytes.append($0) }
            cursor = place
            while entry < page.pointee.entryCount, page.pointee.entries[entry].start <= place {
                page.pointee.entries[entry].start += shift
                page.pointee.entries[entry].keyEnd += shift
                entry += 1
            }
        }
        next = first
        while let piece = next {
            next = piece.pointee.next
            copy(upTo: piece.pointee.place)
            guard !piece.pointee.isLeftOut else { continue }
            shift += piece.bytes.count
            bytes.append(piece.bytes)
            if piece.bytes.isOverLimit { bytes.exhaust() }
        }
        copy(upTo: base + scratch.count)
        releasePieces(of: frame, after: nil)
    }

    /// Sorts entries without an order of their own. Of two members with the same key, keeps the later one.
    private func arrange(_ frame: Frame) {
        let bytes = frame.bytes
        let isKeyed = frame.pointee.kind == .keyed
        var all = UnsafeMutableBufferPointer(
            start: frame.pointee.page.pointee.entries + frame.pointee.firstEntry,
            count: frame.pointee.page.pointee.entryCount - frame.pointee.firstEntry)
        for index in all.indices {
            all[index].end = index + 1 < all.count ? all[index + 1].start - 1 : bytes.count
            if !isKeyed, frame.pointee.collection == .set { all[index].keyEnd = all[index].end }
        }
        let order = EntryOrder(
            bytes: bytes, isKeyed: isKeyed, hasEscapes: isKeyed && frame.pointee.hasEscapedKeys)
        guard !order.isSorted(all) else { return }
        all.sort(by: order.precedes)
        var kept = all.count
        if isKeyed {
            kept = 1
            for index in 1..<all.count {
                if order.keys(all[kept - 1], all[index]) != 0 { kept += 1 }
                all[kept - 1] = all[index]
            }
            if frame.pointee.collection != .dictionary {
                guard kept < all.count else { return }
                all[..<kept].sort { $0.start < $1.start }
            }
        }
        let start = frame.pointee.start + 1
        scratch.truncate(to: 0)
        bytes.withBytes(start..<bytes.count) { scratch.append($0) }
        bytes.truncate(to: start)
        for index in 0..<kept {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            scratch.withBytes(all[index].start - start..<all[index].end - start) { bytes.append($0) }
        }
    }
}
