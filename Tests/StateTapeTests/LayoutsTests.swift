import CShapes
import Collections
import Foundation
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Layouts of types")
struct LayoutsTests {
    final class Object {}
    enum Shared { case none, some(Object) }
    indirect enum List { case end, item(Int, List) }
    struct Tree { var children: [Tree] = []; var name = "" }
    struct Padded { var small: Int8 = 1; var large = 2; var flag = true }
    struct Wrapper<Content> { var content: Content }
    protocol Shape {}

    private let layouts = Layouts()

    @Test("This process's runtime metadata can be read")
    func readable() { #expect(Metadata.isReadable) }

    @Test(
        "Values are known as such, whatever storage they share",
        arguments: [
            Int.self, String.self, [String: [Int?]].self, Set<UUID>.self, Data.self, URL.self, Decimal.self, Date.self,
            DateComponents.self, IndexPath.self, Calendar.self, AttributedString.self, Range<Int>.self, List.self,
            Tree.self, Padded.self, (Int, String).self, Wrapper<[Tree]>.self, Any.Type.self, CGPoint.self,
            Substring.self, String.UTF8View.self, String.UTF16View.self, String.UnicodeScalarView.self,
            Substring.UTF8View.self, Substring.UTF16View.self, Substring.UnicodeScalarView.self, String.Index.self,
            Dictionary<String, Int>.Keys.self, Dictionary<String, [Int]>.Values.self, ReversedCollection<[String]>.self,
            Swift.Slice<[Int]>.self, ArraySlice<Int>.self, Never?.self, Void.self, Measurement<UnitLength>.self,
            [Measurement<UnitTemperature>?].self,
        ] as [Any.Type])
    func values(type: Any.Type) {
        #expect(layouts.instance(in: type) == nil)
        #expect(layouts.isValue(type))
    }

    @Test("Parts that can change without their owner are found, with their places")
    func instances() {
        struct Weak { weak var object: Object? }
        struct Unowned { unowned var object: Object }
        struct Function { var run: () -> Void }
        struct Existential { var shape: any Shape }
        struct Deep { var list: [Int: Wrapper<Shared?>] }
        struct Pointer { var memory: UnsafeMutablePointer<Int> }
        let types: [(Any.Type, String)] = [
            (Object.self, "Object"), (Shared.self, "some: Object"), (Weak.self, "object: Object"),
            (Unowned.self, "object: Object"), (Function.self, "run: () -> ()"), (Existential.self, "shape: Shape"),
            (Deep.self, "list.content.some: Object"), (Pointer.self, "memory._rawValue: Builtin.RawPointer"),
            (Any.self, "Any"), (Wrapper<Any>.self, "content: Any"),
        ]
        for (type, place) in types {
            #expect(layouts.instance(in: type) == place)
            #expect(!layouts.isValue(type))
        }
    }

    @Test(
        "All bytes of C structs count, whatever Swift sees of them",
        arguments: [
            cs_decimal.self, cs_bits.self, cs_flags.self, cs_anonymous_union.self, cs_complex.self, cs_atomic.self,
            cs_int128.self, cs_padded.self, cs_packed.self, cs_large.self, Wrapper<cs_decimal>.self, cs_decimal?.self,
        ] as [Any.Type])
    func foreign(type: Any.Type) {
        let layout = layouts.layout(of: type)
        let left = [UInt8](repeating: 0, count: layout.size)
        for index in left.indices {
            var right = left
            right[index] = 1
            #expect(!layout.isSame(left, right), "byte \(index)")
        }
    }

    @Test("A C struct with space for an unlisted address may change in place")
    func hiddenAddress() {
        for type in [cs_hidden_pointer.self, cs_anonymous_union.self, cs_int128.self, cs_large.self] as [Any.Type] {
            #expect(layouts.instance(in: type) == String(describing: type))
        }
        for type in [cs_decimal.self, cs_bits.self, cs_flags.self, cs_packed.self, cs_nested.self] as [Any.Type] {
            #expect(layouts.isValue(type))
        }
        layouts.trust(cs_int128.self)
        #expect(layouts.isValue([cs_int128].self))
    }

    @Test("A struct with unexplained bytes may change in place")
    func thinTypes() {
        struct Thin {
            var number = 0
            var type = Int.self
        }
        let layout = layouts.layout(of: Thin.self)
        #expect(!layout.isValue)
        #expect(layout.size == MemoryLayout<Thin>.size)
    }

    @Test("The search ends for a type that nests itself with new arguments")
    func endless() {
        indirect enum Perfect<Value> {
            case leaf(Value)
            case deeper(Perfect<(Value, Value)>)
        }
        #expect(layouts.instance(in: Perfect<Int>.self) != nil)
        struct Deep<Value> { var value: [Value?] }
        #expect(layouts.isValue(Deep<Deep<Deep<Deep<Deep<Deep<Int>>>>>>.self))
    }

    @Test("An inline array is a value where its elements are")
    @available(macOS 26, iOS 26, *)
    func inlineArrays() {
        #expect(layouts.isValue([3 of Int].self))
        #expect(layouts.isValue(Wrapper<[2 of [Tree]]>.self))
        #expect(!layouts.isValue([3 of Object].self))
    }

    @Test("An id that may change in place does not identify an element")
    func identity() {
        struct Weak { weak var id: Object? }
        struct Owned { var id: Object; var text = "" }
        final class Key: Hashable {
            static func == (left: Key, right: Key) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        struct Keyed { weak var id: Key? }
        struct Plain { var id: String }
        for type in [Weak.self, Owned.self, Keyed.self] as [Any.Type] {
            #expect(ElementIdentity(of: type, layouts) == nil)
        }
        #expect(ElementIdentity(of: Plain.self, layouts) != nil)
    }

    @Test("If encoded states are compared, no type is a value")
    func encoded() {
        let layouts = Layouts(.encoded)
        layouts.trust(Tree.self)
        for type in [Int.self, String.self, Tree.self, [Int].self] as [Any.Type] { #expect(!layouts.isValue(type)) }
    }

    @Test("A trusted type is a value, and so is a type that contains it")
    func trusted() {
        #expect(!layouts.isValue(Wrapper<Object>.self))
        layouts.trust(Object.self)
        #expect(layouts.isValue(Wrapper<Object>.self))
        #expect(layouts.instance(in: [Shared].self) == nil)
    }

    @Test("Bytes of fields distinguish values, bytes between fields don't")
    func padding() {
        let layout = layouts.layout(of: Padded.self)
        var (left, right) = (
            [UInt8](repeating: 0, count: MemoryLayout<Padded>.size),
            [UInt8](repeating: 0, count: MemoryLayout<Padded>.size)
        )
        let fields = [
            0..<1, MemoryLayout<Padded>.offset(of: \.large).map { $0..<$0 + 8 } ?? 0..<0,
            MemoryLayout<Padded>.offset(of: \.flag).map { $0..<$0 + 1 } ?? 0..<0,
        ]
        for index in left.indices {
            right = left
            right[index] = 1
            let isField = fields.contains { $0.contains(index) }
            #expect(layout.isSame(&left, &right) == !isField, "byte \(index)")
        }
    }

    @Test("Padding inside an optional is ignored too, and nil differs from a value")
    func optional() {
        let layout = layouts.layout(of: Padded?.self)
        #expect(layout.areSame(Optional(Padded()), Optional(Padded())))
        #expect(!layout.areSame(Optional(Padded()), Optional(Padded(flag: false))))
        #expect(!layout.areSame(Optional(Padded()), Padded?.none))
    }

    @Test("Common prefixes and suffixes of arrays are found to the element")
    func ends() {
        let layout = layouts.layout(of: Int32.self)
        for count in [0, 1, 7, 1_024, 5_000] {
            let left = [Int32](repeating: 7, count: count)
            for changed in Set([0, count / 2, count - 1]) where changed >= 0 && changed < count {
                var right = left
                right[changed] = 8
                #expect(layout.commonPrefix(left, right, count) == changed)
                left.withUnsafeBytes { left in
                    right.withUnsafeBytes { right in
                        guard let left = left.baseAddress, let right = right.baseAddress else { return }
                        #expect(layout.commonSuffix(left + 4 * count, right + 4 * count, count) == count - 1 - changed)
                    }
                }
            }
            #expect(layout.commonPrefix(left, left, count) == count)
        }
    }

    @Test(
        "The collections of swift-collections are values where their elements are",
        arguments: [
            OrderedDictionary<String, Int>.self, OrderedSet<Int>.self, Deque<String>.self, Heap<Int>.self,
            TreeDictionary<Int, String>.self, TreeSet<Int>.self, BitSet.self, BitArray.self,
        ] as [Any.Type])
    func collections(type: Any.Type) {
        #expect(layouts.isValue(type))
        #expect(!layouts.isValue(Deque<Object>.self))
        #expect(!layouts.isValue(OrderedDictionary<Int, any Shape>.self))
    }
}
