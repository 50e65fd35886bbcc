import TapeFormat

/// What a decoding took from elsewhere and what it left untouched.
final class OverlayTrace {
    /// How many places of each kind are told; a person reads them.
    private static let limit = 100

    /// Which members of one object were asked for.
    final class Visit {
        let path: [any CodingKey]
        private let object: JSON.Object
        private var isAsked: [Bool]

        init(_ object: JSON.Object, at path: [any CodingKey]) {
            self.object = object
            self.path = path
            isAsked = Array(repeating: false, count: object.count)
        }

        func ask(_ index: Int) {
            isAsked[index] = true
        }

        var unasked: Set<Int> {
            Set(isAsked.indices.filter { !isAsked[$0] })
        }

        func pointer(_ index: Int) -> String {
            Pointer(parsed: path.pointer).appending(object[index].key).description
        }
    }

    private(set) var filled: [String] = []
    private var visits: [Visit] = []

    func fill(_ path: [any CodingKey], _ key: any CodingKey) {
        if filled.count < Self.limit { filled.append((path + [key]).pointer) }
    }

    func visit(_ object: JSON.Object, at path: [any CodingKey]) -> Visit {
        let visit = Visit(object, at: path)
        visits.append(visit)
        return visit
    }

    var ignored: [String] {
        // An object may be visited several times, by a class and by its superclass.
        var places: [String: (visit: Visit, unasked: Set<Int>)] = [:]
        for visit in visits where !visit.unasked.isEmpty {
            let pointer = visit.path.pointer
            places[pointer] = (visit, visit.unasked)
        }
        guard !places.isEmpty else { return [] }
        for visit in visits {
            places[visit.path.pointer]?.unasked.formIntersection(visit.unasked)
        }
        return Array(
            places.values.flatMap { place in place.unasked.map(place.visit.pointer) }.sorted().prefix(Self.limit))
    }
}

extension Pointer {
    /// A text that a pointer wrote.
    fileprivate init(parsed text: String) {
        self = (try? Pointer(parsing: text)) ?? Pointer()
    }
}
