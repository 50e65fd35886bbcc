import TapeFormat

// Compares arrays element by element in memory.
extension Differ {
    func compareArrays<Value: Encodable>(
        _ old: Value, _ new: Value, _ isContiguous: Bool, _ plan: Plan, _ slice: Slice?
    ) throws {
        let part = slice?.element ?? .all
        switch part {
        case .none: return
        case .redacted: return try compareContents(contents(of: old, slice), contents(of: new, slice), new, slice)
        case .all, .some: break
        }
        guard let element = try plan.element ?? elementType(of: old) ?? elementType(of: new) else { return }
        plan.element = element
        func compared<Element: Encodable>(_ type: Element.Type) throws -> Bool {
            if isContiguous {
                guard let old = old as? ContiguousArray<Element>, let new = new as? ContiguousArray<Element> else {
                    return false
                }
                try old.withUnsafeBufferPointer { old in
                    try new.withUnsafeBufferPointer { try compareBuffers(old, $0, part.slice) }
                }
            } else {
                guard let old = old as? [Element], let new = new as? [Element] else { return false }
                try old.withUnsafeBufferPointer { old in
                    try new.withUnsafeBufferPointer { try compareBuffers(old, $0, part.slice) }
                }
            }
            return true
        }
        // An array of several classes is not an array of its first element's class.
        if try !compared(element) {
            try compareContents(contents(of: old, slice), contents(of: new, slice), new, slice)
        }
    }

    /// The type as which an array encodes its elements; nil if it is empty.
    private func elementType<Value: Encodable>(of array: Value) throws -> (any Encodable.Type)? {
        let contents = Contents(of: self, nil, limit: 1)
        do { try array.encode(to: Collector(contents: contents)) } catch is Probed {}
        return contents.entries.first.map { type(of: $0.value) }
    }

    private func compareBuffers<Element: Encodable>(
        _ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>, _ slice: Slice?
    ) throws {
        let plan = plan(of: Element.self)
        let ends = ends.first { $0.areOf(old, new) }
        touch((new.count - (ends.map { $0.first + $0.last } ?? 0)) * MemoryLayout<Element>.stride)
        let pair = ArrayPair(old, new, plan.layout, plan.layout.isValue ? plan.identity : nil, ends)
        // If most elements were added or removed, the full array is shorter.
        guard let steps = pair.steps,
            steps.removals.count + steps.additions.count <= max(16, new.count - steps.additions.count)
        else { return try replaceArray(new, slice) }
        let mark = patch.mark
        guard patch.spend(steps.work(at: pair.first, in: old.count)) else { return try replaceArray(new, slice) }
        for index in steps.removals { patch.remove(.index(pair.first + index)) }
        for move in steps.moves { patch.move(from: pair.first + move.from, to: pair.first + move.to) }
        for index in steps.additions {
            try patch.add(.index(pair.first + index)) {
                try encoder.encode(new[pair.first + index], slice: slice, to: patch.output)
            }
        }
        try compareKept(pair, since: mark, slice)
    }

    private func compareKept<Element: Encodable>(
        _ pair: ArrayPair<Element>, since mark: PatchWriter.Mark, _ slice: Slice?
    ) throws {
        var changed = 0
        for (offset, origin) in pair.origins.enumerated() {
            guard let origin, !pair.isSame(origin, offset) else { continue }
            let index = pair.first + offset
            try path.at(.index(index)) { try compare(pair.old[pair.first + origin], pair.new[index], slice) }
            changed += 1
            // If most of the array has changed, writing the full array is eight times as fast as writing each element's
            // changes, and may be shorter.
            guard changed == 32 else { continue }
            let expected = (patch.mark.bytes - mark.bytes) * pair.origins.count / (offset + 1)
            if try expected > size(of: pair.new, slice) / 5 {
                patch.takeBack(to: mark)
                return try replaceArray(pair.new, slice)
            }
        }
    }

    /// An estimate of the array's text in bytes, from some of its elements.
    private func size<Element: Encodable>(of array: UnsafeBufferPointer<Element>, _ slice: Slice?) throws -> Int {
        let sample = 8
        var bytes = 0
        for index in stride(from: 0, to: array.count, by: max(1, array.count / sample)).prefix(sample) {
            bytes += try text(of: array[index], slice).count
        }
        return bytes * array.count / min(sample, array.count)
    }

    private func replaceArray<Element: Encodable>(_ new: UnsafeBufferPointer<Element>, _ slice: Slice?) throws {
        try patch.replace {
            patch.output.append("[")
            for (index, element) in new.enumerated() {
                if index > 0 { patch.output.append(",") }
                try encoder.encode(element, slice: slice, to: patch.output)
            }
            patch.output.append("]")
        }
    }
}
