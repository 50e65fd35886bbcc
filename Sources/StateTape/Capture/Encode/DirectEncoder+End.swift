import Foundation

extension DirectEncoder {
    /// Ends the value of a frame, after which its bytes are complete.
    func end(_ frame: Frame) {
        if frame.pointee.firstPiece != nil { splice(frame) }
        switch frame.pointee.kind {
        case .nothing: frame.pointee.bytes.append("{}")
        case .scalar: break
        case .keyed:
            if frame.pointee.mayRepeatKeys || frame.pointee.collection == .dictionary { arrange(frame) }
            frame.pointee.bytes.append(UInt8(ascii: "}"))
        case .unkeyed:
            if frame.pointee.collection != .none { arrange(frame) }
            frame.pointee.bytes.append(UInt8(ascii: "]"))
        }
        frame.pointee.page.pointee.entryCount = frame.pointee.firstEntry
    }

    /// Puts the bytes of the nested containers in their places.
    private func splice(_ frame: Frame) {
        guard let first = frame.pointee.firstPiece else { return }
        var next: Frame? = first
        while let piece = next {
            next = piece.pointee.next
            if !piece.pointee.isLeftOut { end(piece) }
        }
        let bytes = frame.pointee.bytes
        let page = frame.pointee.page
        let base = first.pointee.place
        // Most often nothing was written behind.
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
            shift += piece.pointee.bytes.count
            bytes.append(piece.pointee.bytes)
        }
        copy(upTo: base + scratch.count)
        releasePieces(of: frame, after: nil)
    }

    /// Sorts what has no order of its own, and of two members with the same key leaves the later one.
    private func arrange(_ frame: Frame) {
        let page = frame.pointee.page
        let bytes = frame.pointee.bytes
        let isKeyed = frame.pointee.kind == .keyed
        let first = frame.pointee.firstEntry
        var all = UnsafeMutableBufferPointer(
            start: page.pointee.entries + first, count: page.pointee.entryCount - first)
        for index in all.indices {
            all[index].end = index + 1 < all.count ? all[index + 1].start - 1 : bytes.count
            if !isKeyed, frame.pointee.collection == .set { all[index].keyEnd = all[index].end }
        }
        let hasEscapes = isKeyed && frame.pointee.hasEscapedKeys
        // Without the quotes: the closing one would come before letters but behind a space.
        let quote = isKeyed ? 1 : 0
        func order(_ left: DirectPage.Entry, _ right: DirectPage.Entry) -> Int {
            let left = left.start + quote..<left.keyEnd - quote
            let right = right.start + quote..<right.keyEnd - quote
            return hasEscapes ? bytes.orderUnescaped(left, right) : bytes.order(left, right)
        }
        func precedes(_ left: DirectPage.Entry, _ right: DirectPage.Entry) -> Bool {
            let keys = order(left, right)
            if keys != 0 { return keys < 0 }
            if isKeyed { return left.start < right.start }
            return bytes.order(left.keyEnd..<left.end, right.keyEnd..<right.end) < 0
        }
        guard !zip(all, all.dropFirst()).allSatisfy({ order($0, $1) < 0 }) else { return }
        all.sort(by: precedes)
        var kept = all.count
        if isKeyed, !all.isEmpty {
            kept = 0
            for index in 1..<all.count {
                if order(all[kept], all[index]) != 0 { kept += 1 }
                all[kept] = all[index]
            }
            kept += 1
            if frame.pointee.collection != .dictionary {
                guard kept < all.count else { return }
                all[..<kept].sort { $0.start < $1.start }
            }
        }
        let start = frame.pointee.start + 1
        scratch.truncate(to: 0)
        bytes.withBytes(start..<bytes.count) { scratch.append($0) }
        bytes.truncate(to: start)
        for (index, entry) in all[..<kept].enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            scratch.withBytes(entry.start - start..<entry.end - start) { bytes.append($0) }
        }
    }
}

extension ByteWriting {
    /// Compares byte by byte: below, at or above 0.
    func order(_ left: Range<Int>, _ right: Range<Int>) -> Int {
        withBytes(left) { left in
            withBytes(right) { right in
                let shared = min(left.count, right.count)
                guard let first = left.baseAddress, let second = right.baseAddress else { return 0 }
                let order = memcmp(first, second, shared)
                return order != 0 ? Int(order) : left.count - right.count
            }
        }
    }

    /// Compares JSON strings by what they say.
    func orderUnescaped(_ left: Range<Int>, _ right: Range<Int>) -> Int {
        withBytes(left) { left in
            withBytes(right) { right in
                var (first, second) = (0, 0)
                while first < left.count, second < right.count {
                    let order = Int(left.unescaped(&first)) - Int(right.unescaped(&second))
                    if order != 0 { return order }
                }
                return (left.count - first) - (right.count - second)
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The next byte of what a JSON string says, as ``ByteWriting/append(quoted:)`` wrote it.
    fileprivate func unescaped(_ index: inout Int) -> UInt8 {
        index += 1
        guard self[index - 1] == UInt8(ascii: "\\") else { return self[index - 1] }
        index += 1
        switch self[index - 1] {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "f"): return 0x0c
        case UInt8(ascii: "r"): return 0x0d
        case UInt8(ascii: "u"):
            index += 4
            let digit = self[index - 1]
            return (self[index - 2] & 1) << 4
                | (digit <= UInt8(ascii: "9") ? digit & 15 : digit - UInt8(ascii: "a") + 10)
        default: return self[index - 1]
        }
    }
}
