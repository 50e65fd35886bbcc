import TapeFormat

/// Notes which places a decoding filled in and which it did not read.
final class OverlayTrace {
    /// The most places of each kind in a report, which a person reads.
    private static let limit = 100

    /// What macros add to classes and structs: it is encoded, without contents, and never decoded.
    private static let registrars: Set<String> = ["_$observationRegistrar", "_$perceptionRegistrar"]

    /// Notes which members of one object were read.
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
            Set(isAsked.indices.filter { !isAsked[$0] && !OverlayTrace.registrars.contains(object[$0].key) })
        }

        /// Whether the object has members and none was read.
        var isForeign: Bool { !isAsked.contains(true) && !unasked.isEmpty }

        func pointer(_ index: Int) -> String {
            Pointer(parsed: path.pointer).appending(object[index].key).description
        }
    }

    private(set) var filled: [String] = []
    private var visits: [Visit] = []

    func fill(_ path: [any CodingKey]) {
        if filled.count < Self.limit { filled.append(path.pointer) }
    }

    func visit(_ object: JSON.Object, at path: [any CodingKey]) -> Visit {
        let visit = Visit(object, at: path)
        visits.append(visit)
        return visit
    }

    /// Whether the whole value is an object of which no member was read.
    var isForeign: Bool {
        let tops = visits.filter(\.path.isEmpty)
        return !tops.isEmpty && tops.allSatisfy(\.isForeign)
    }

    var ignored: [String] {
        // A class and its superclass may both visit an object.
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
    /// Parses a pointer's description.
    fileprivate init(parsed text: String) {
        self = (try? Pointer(parsing: text)) ?? Pointer()
    }
}
