import TapeFormat

/// A collection that keeps the elements that decode. The others leave it.
protocol RepairedCollection {
    init(repairing decoder: OverlayDecoder) throws
}

extension OverlayDecoder {
    /// Decodes the elements of an array that can be read.
    fileprivate func elements<Element: Decodable>(_ type: Element.Type) throws -> [Element] {
        guard let array = json.array else { throw mismatch([Any].self, "an array") }
        let counterparts = Counterparts(of: array, in: initial?.array ?? [], arePaired: false)
        return array.indices.compactMap { element($0, of: array, over: counterparts[$0]).kept(type) }
    }

    /// Decodes an element's value; nil, and noted as lost, if it can't be read.
    fileprivate func kept<Value: Decodable>(_ type: Value.Type) -> Value? {
        guard let mark = repair?.mark else { return nil }
        do {
            return try own(type)
        } catch {
            repair?.rewind(to: mark)
            repair?.lose(self, error, .removed)
            return nil
        }
    }
}

extension Array: RepairedCollection where Element: Decodable {
    init(repairing decoder: OverlayDecoder) throws { self = try decoder.elements(Element.self) }
}

extension ContiguousArray: RepairedCollection where Element: Decodable {
    init(repairing decoder: OverlayDecoder) throws { self = ContiguousArray(try decoder.elements(Element.self)) }
}

extension Set: RepairedCollection where Element: Decodable {
    init(repairing decoder: OverlayDecoder) throws { self = Set(try decoder.elements(Element.self)) }
}

extension Optional: RepairedCollection where Wrapped: Decodable {
    init(repairing decoder: OverlayDecoder) throws { self = decoder.json.isNull ? nil : try decoder.own(Wrapped.self) }
}

extension Dictionary: RepairedCollection where Key: Decodable, Value: Decodable {
    init(repairing decoder: OverlayDecoder) throws {
        self.init()
        switch decoder.json {
        case .object(let object):
            for member in object {
                let name = Redacted.unescaped(member.key)
                let place = decoder.member(member.value, over: decoder.initial?[member.key], at: PlainKey(name))
                guard let key = Self.key(name) else { throw decoder.mismatch(Self.self, "keys of type \(Key.self)") }
                self[key] = place.kept(Value.self)
            }
        // Keys and values in turn.
        case .array(let elements) where elements.count.isMultiple(of: 2):
            let counterparts = Counterparts(of: elements, in: decoder.initial?.array ?? [], arePaired: true)
            for index in stride(from: 0, to: elements.count, by: 2) {
                guard let key = decoder.element(index, of: elements).kept(Key.self) else { continue }
                let value = decoder.element(index + 1, of: elements, over: counterparts[index + 1])
                self[key] = value.kept(Value.self)
            }
        default: throw decoder.mismatch(Self.self, "an object")
        }
    }

    /// The key that a member's name stands for.
    private static func key(_ name: String) -> Key? {
        switch Key.self {
        case is String.Type: name as? Key
        case is Int.Type: Int(name) as? Key
        case let type as any CodingKeyRepresentable.Type: type.init(codingKey: PlainKey(name)) as? Key
        default: nil
        }
    }
}
