import TapeFormat

/// The offsets of a tape's events, and the events that set or clear a store's base state.
struct TapeIndex {
    /// A batch of lines that are read together.
    struct Block {
        let seqs: Range<Int>
        /// Their byte range.
        let bytes: Range<Int>
    }

    private static let maxLines = 256
    private static let maxBytes = 256 << 10

    private let first: Int
    private var order: EventOrder
    var seqs: Range<Int> { first..<order.next }
    /// The `at` of the last event, in ms.
    private(set) var duration = 0.0
    private var blocks: [Block] = []
    private var lines = 0
    private var bases: [UTF8Text: [StateBase]] = [:]
    private var gaps: [StateBase] = []
    private var names: [UTF8Text: String] = [:]

    init(_ header: Header? = nil) {
        first = header?.from ?? 0
        order = EventOrder(next: first)
        for store in header?.states?.keys.sorted() ?? [] { add(StateBase(seq: first - 1, kind: .keyframe), of: store) }
    }

    /// Adds the next line.
    ///
    /// - Throws: If the line doesn't follow the previous one.
    mutating func take(_ line: EventLine) throws(FormatError) {
        try order.check(line)
        place(line)
        order.advance(past: line)
        duration = line.at.double
        if line.kind == .gap {
            gaps.append(StateBase(seq: line.seq, kind: .gap))
        } else if let kind = line.base {
            add(StateBase(seq: line.seq, kind: kind), of: line.store)
        }
    }

    private mutating func place(_ line: EventLine) {
        let end = line.seq + 1
        let start = blocks.last?.bytes.upperBound ?? 0
        let next = start + line.bytes.count + 1
        if let last = blocks.last, lines < Self.maxLines, next - last.bytes.lowerBound <= Self.maxBytes {
            blocks[blocks.count - 1] = Block(
                seqs: last.seqs.lowerBound..<end, bytes: last.bytes.lowerBound..<next)
            lines += 1
        } else {
            blocks.append(Block(seqs: line.first..<end, bytes: start..<next))
            lines = 1
        }
    }

    private mutating func add(_ base: StateBase, of store: String) {
        bases[UTF8Text(store), default: []].append(base)
        if names[UTF8Text(store)] == nil { names[UTF8Text(store)] = store }
    }

    /// The block that contains the event at `seq`; the first block for an earlier event.
    func block(at seq: Int) -> Block? {
        let place = blocks.firstPlace { $0.seqs.upperBound > seq }
        return place < blocks.count ? blocks[place] : nil
    }

    func base(of store: String?, upTo seq: Int) -> StateBase? {
        (store.map { bases[UTF8Text($0)] ?? [] } ?? gaps).last(upTo: seq)
    }

    func nextState(of store: String, after seq: Int) -> Int? {
        let found = bases[UTF8Text(store)] ?? []
        let place = found.firstPlace { $0.seq > seq }
        return found[place...].first { $0.kind == .state }?.seq
    }

    func stores(upTo seq: Int) -> [String] {
        bases.filter { store in store.value.first { $0.kind != .detach }.map { $0.seq <= seq } ?? false }
            .compactMap { names[$0.key] }.sorted()
    }
}

extension [StateBase] {
    /// The last base at or before an event.
    func last(upTo seq: Int) -> StateBase? {
        let place = firstPlace { $0.seq > seq }
        return place > 0 ? self[place - 1] : nil
    }
}

extension Array {
    /// The first index from which on all elements match, by binary search. Elements that match must come last.
    func firstPlace(where fits: (Element) -> Bool) -> Int {
        var places = 0..<count
        while !places.isEmpty {
            let middle = (places.lowerBound + places.upperBound) / 2
            places = fits(self[middle]) ? places.lowerBound..<middle : middle + 1..<places.upperBound
        }
        return places.lowerBound
    }
}
