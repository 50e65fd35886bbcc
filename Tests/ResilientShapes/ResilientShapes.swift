// Built with library evolution: others find the layout of these types at run time.

public struct ResilientPair<A, B> {
    private var flag = false
    public var first: A
    private var small: UInt8 = 0
    public var second: B

    public init(_ first: A, _ second: B) {
        self.first = first
        self.second = second
    }

    public mutating func touch() {
        flag.toggle()
        small &+= 1
    }

    public var marks: [Int] { [flag ? 1 : 0, Int(small)] }
}

public enum ResilientChoice<A, B> {
    case neither
    case first(A)
    case second(B, count: UInt8)
}

public struct ResilientPlain: Hashable, Sendable {
    private var small: Int8 = 0
    private var number = 0
    private var isOn = false
    private var name: String?

    public init() {}

    public mutating func change(_ place: Int) {
        switch place % 4 {
        case 0: small &+= 1
        case 1: number += 1
        case 2: isOn.toggle()
        default: name = name.map { $0 + "." } ?? ""
        }
    }

    public var parts: [String] { ["\(small)", "\(number)", "\(isOn)", name ?? "none"] }
}

public enum ResilientKind: Sendable {
    case none
    case plain(ResilientPlain)
    indirect case deeper(ResilientKind)

    public var parts: [String] {
        switch self {
        case .none: ["none"]
        case .plain(let plain): plain.parts
        case .deeper(let kind): ["deeper"] + kind.parts
        }
    }
}

@frozen public struct FrozenPair {
    public var small: UInt8 = 0
    public var number = 0

    public init() {}
}

/// Holds an instance that nobody outside can see.
public struct ResilientHolder {
    private final class Storage { var number = 0 }
    private let storage = Storage()

    public init() {}

    public func add() { storage.number += 1 }
    public var number: Int { storage.number }
}
