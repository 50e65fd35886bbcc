import Foundation
import Testing

@testable import StateTape

#if Server
    import Collections
#endif

@Suite("What is known of types' memory")
struct LayoutsTests {
    final class Object {}
    enum Shared { case none, some(Object) }
    indirect enum List { case end, item(Int, List) }
    struct Tree { var children: [Tree] = []; var name = "" }
    struct Padded { var small: Int8 = 1; var large = 2; var flag = true }
    struct Wrapper<Content> { var content: Content }
    protocol Shape {}

    private let layouts = Layouts()

    @Test("The runtime's metadata is read as this process has it")
    func readable() { #expect(Metadata.isReadable) }

    @Test(
        "Values are known as such, whatever storage they share",
        arguments: [
            Int.self, String.self, [String: [Int?]].self, Set<UUID>.self, Data.self, URL.self, Decimal.self, Date.self,
            DateComponents.self, IndexPath.self, Calendar.self, AttributedString.self, Range<Int>.self, List.self,
            Tree.self, Padded.self, (Int, String).self, Wrapper<[Tree]>.self, Any.Type.self, CGPoint.self,
            Substring.self, ArraySlice<Int>.self, Never?.self, Void.self,
        ] as [Any.Type])
    func values(type: Any.Type) {
        #expect(layouts.instance(in: type) == nil)
        #expect(layouts.isValue(type))
    }

    @Test("What can change without its owner's noticing is found, with its place")
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

    @Test("A type that is trusted is a value, and so is what contains it")
    func trusted() {
        #expect(!layouts.isValue(Wrapper<Object>.self))
        layouts.trust(Object.self)
        #expect(layouts.isValue(Wrapper<Object>.self))
        #expect(layouts.instance(in: [Shared].self) == nil)
    }

    @Test("Bytes between fields don't tell values apart, bytes of fields do")
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

    @Test("Padding inside an optional is left out as well, and nil differs from a value")
    func optional() {
        let layout = layouts.layout(of: Padded?.self)
        #expect(layout.areSame(Optional(Padded()), Optional(Padded())))
        #expect(!layout.areSame(Optional(Padded()), Optional(Padded(flag: false))))
        #expect(!layout.areSame(Optional(Padded()), Padded?.none))
    }

    @Test("Common beginnings and ends of arrays are found to the element")
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

    #if Server
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
    #endif
}
