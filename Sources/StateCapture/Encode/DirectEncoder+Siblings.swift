import Foundation

// Values whose name is another member's value: `{"field":"password","value":"hunter2"}`.
extension DirectEncoder {
    /// Redacts the values of an object that another of its members names.
    func redactSiblings(_ frame: Frame) {
        let (bytes, page) = (frame.bytes, frame.pointee.page)
        let entries = UnsafeMutableBufferPointer(
            start: page.pointee.entries + frame.pointee.firstEntry,
            count: page.pointee.entryCount - frame.pointee.firstEntry)
        func end(_ index: Int) -> Int { index + 1 < entries.count ? entries[index + 1].start - 1 : bytes.count }
        func value(_ index: Int) -> Range<Int> { entries[index].keyEnd + 1..<end(index) }
        func meaning(_ index: Int) -> Redactor.Meaning {
            let entry = entries[index]
            return bytes.withBytes(entry.start..<entry.keyEnd) { key in
                let meaning = names.meaning(ofWritten: key, hash: entry.hash)
                let isNumber = isDictionary && key.count == 3
                return isNumber && meaning.isSuperset(of: .pair) ? meaning.subtracting(.pair) : meaning
            }
        }
        let isDictionary = frame.pointee.collection == .dictionary
        var siblings = SiblingNaming()
        siblings.add(frame.pointee.leftOutNaming, at: -1)
        for index in entries.indices where meaning(index).contains(.name) {
            let naming = bytes.withBytes(value(index)) { names.naming(json: $0) }
            if naming == .none || frame.pointee.mayRepeatKeys && isRepeated(index, entries, bytes) { continue }
            siblings.add(naming, at: index)
        }
        guard !siblings.isNone else { return }
        // From the last one, so that the places before it stay.
        for index in entries.indices.reversed() where meaning(index).contains(.value) {
            let place = value(index)
            let first = bytes.withBytes(place) { $0.first }
            guard siblings[index].isSecret(first) else { continue }
            scratch.truncate(to: 0)
            scratch.append(Redacted.text)
            bytes.replace(place, with: scratch)
            for later in entries.indices[(index + 1)...] {
                entries[later].start += scratch.count - place.count
                entries[later].keyEnd += scratch.count - place.count
            }
        }
    }

    /// Whether a later member has the same key, so that this one doesn't count.
    private func isRepeated(
        _ index: Int, _ entries: UnsafeMutableBufferPointer<DirectPage.Entry>, _ bytes: BorrowedBytes
    ) -> Bool {
        let key = entries[index]
        return entries[(index + 1)...].contains {
            $0.hash == key.hash && bytes.order($0.start..<$0.keyEnd, key.start..<key.keyEnd) == 0
        }
    }

    /// Looks at a member that the slice leaves out: its value may be the name of one that it keeps.
    func leaveOut(_ value: some Encodable, _ frame: Frame) {
        guard frame.pointee.isNameLeftOut else { return }
        frame.pointee.isNameLeftOut = false
        let buffer = ByteBuffer()
        // A name that can't be read may be a secret's.
        let isRead = aside { (try? encode(value, to: buffer)) != nil }
        frame.pointee.noteLeftOut(isRead ? buffer.withBytes(0..<buffer.count) { names.naming(json: $0) } : .whole)
    }

    /// Appends a text, or what it has beside a secret.
    @inline(__always)
    func append(_ text: String, to bytes: BorrowedBytes) {
        guard bytes.admits(text.utf8.count) else { return }
        let start = bytes.count
        if bytes.append(text: text) { redact(text, in: bytes, from: start) }
    }

    /// Appends data, unless it is a text with a secret, such as a request's body.
    func append(_ data: Data, to bytes: BorrowedBytes) {
        guard bytes.admits(data.count) else { return }
        let text = data.count <= Redactor.longestDocument ? String(data: data, encoding: .utf8) : nil
        if text.flatMap(redactor.redacted) != nil {
            bytes.append(Redacted.text)
        } else {
            bytes.append(quoted: data.base64EncodedString())
        }
    }

    @inline(never)
    private func redact(_ text: String, in bytes: BorrowedBytes, from start: Int) {
        guard let readable = redactor.redacted(text) else { return }
        bytes.truncate(to: start)
        bytes.append(Redacted.textStart)
        bytes.append(quoted: readable)
        bytes.append(UInt8(ascii: "}"))
    }
}
