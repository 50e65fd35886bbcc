import TapeFormat

enum Either<A: Arbitrary, B: Arbitrary>: Composite {
    case neither
    case left(A)
    case right(value: B)
    case both(A, second: B, Bool)
    case empty

    static func random(_ random: inout Seeded, size: Int) -> Self {
        switch random.below(7) {
        case 0: .neither
        case 1: .empty
        case 2, 3: .left(.random(&random, size: size))
        case 4, 5: .right(value: .random(&random, size: size))
        default: .both(.random(&random, size: size), second: .random(&random, size: size), .random(&random, size: 0))
        }
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        switch self {
        case .neither, .empty: break
        case .left(var a):
            visitor.part(&a)
            self = .left(a)
        case .right(var b):
            visitor.part(&b)
            self = .right(value: b)
        case .both(var a, var b, var flag):
            visitor.part(&a)
            visitor.part(&b)
            visitor.part(&flag)
            self = .both(a, second: b, flag)
        }
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members([
            "left": { $0.members(["_0": A.normalised]) },
            "right": { $0.members(["value": B.normalised]) },
            "both": { $0.members(["_0": A.normalised, "second": B.normalised]) },
        ])
    }
}

/// Like an optional: one case carries something.
enum Maybe<A: Arbitrary>: Composite {
    case missing
    case present(it: A)

    static func random(_ random: inout Seeded, size: Int) -> Self {
        random.once(in: 3) ? .missing : .present(it: .random(&random, size: size))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        guard case .present(var a) = self else { return }
        visitor.part(&a)
        self = .present(it: a)
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["present": { $0.members(["it": A.normalised]) }])
    }
}

/// Two payloads of the same type, which differ by their case alone.
enum Side<A: Arbitrary>: Composite {
    case left(A)
    case right(A)

    static func random(_ random: inout Seeded, size: Int) -> Self {
        random.once(in: 2) ? .left(.random(&random, size: size)) : .right(.random(&random, size: size))
    }

    mutating func edit(_ random: inout Seeded) {
        switch self {
        case .left(var a):
            if !random.once(in: 3) { a.edit(&random) }
            self = random.once(in: 2) ? .left(a) : .right(a)
        case .right(let a): self = random.once(in: 3) ? .left(a) : .random(&random, size: 2)
        }
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        switch self {
        case .left(var a):
            visitor.part(&a)
            self = .left(a)
        case .right(var a):
            visitor.part(&a)
            self = .right(a)
        }
    }

    static func normalised(_ json: JSON) -> JSON {
        let payload: JSON.Change = { $0.members(["_0": A.normalised]) }
        return json.members(["left": payload, "right": payload])
    }
}

/// Its layout is known at compile time: the case is in the payload's spare bits.
enum Loading: Composite {
    case idle
    case running(Double)
    case done([String], at: UInt8)
    case failed(String, code: Int16, again: Bool?)
    case cancelled

    static func random(_ random: inout Seeded, size: Int) -> Loading {
        switch random.below(5) {
        case 0: .idle
        case 1: .running(.random(&random, size: size))
        case 2: .done(.random(&random, size: size), at: .random(&random, size: 0))
        case 3: .failed(.random(&random, size: 0), code: .random(&random, size: 0), again: .random(&random, size: 0))
        default: .cancelled
        }
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        switch self {
        case .idle, .cancelled: break
        case .running(var progress):
            visitor.part(&progress)
            self = .running(progress)
        case .done(var texts, var time):
            visitor.part(&texts)
            visitor.part(&time)
            self = .done(texts, at: time)
        case .failed(var text, var code, var again):
            visitor.part(&text)
            visitor.part(&code)
            visitor.part(&again)
            self = .failed(text, code: code, again: again)
        }
    }
}

/// Its payloads are in separate boxes.
indirect enum Tree<A: Arbitrary>: Composite {
    case leaf(A)
    case fork(Tree, A, Tree)

    static func random(_ random: inout Seeded, size: Int) -> Self {
        guard size > 0, random.once(in: 2) else { return .leaf(.random(&random, size: size)) }
        return .fork(
            .random(&random, size: size / 2), .random(&random, size: size), .random(&random, size: size - 1))
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        switch self {
        case .leaf(var a):
            visitor.part(&a)
            self = .leaf(a)
        case .fork(var left, var a, var right):
            visitor.part(&left)
            visitor.part(&a)
            visitor.part(&right)
            self = .fork(left, a, right)
        }
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members([
            "leaf": { $0.members(["_0": A.normalised]) },
            "fork": { $0.members(["_0": { normalised($0) }, "_1": A.normalised, "_2": { normalised($0) }]) },
        ])
    }
}

/// An indirect case among plain ones.
enum Linked<A: Arbitrary>: Composite {
    case end
    indirect case link(A, next: Linked)

    static func random(_ random: inout Seeded, size: Int) -> Self {
        (0..<random.below(size + 1)).reduce(.end) { next, _ in .link(.random(&random, size: size / 2), next: next) }
    }

    mutating func visit(_ visitor: inout PartVisitor) {
        guard case .link(var a, var next) = self else { return }
        visitor.part(&a)
        visitor.part(&next)
        self = .link(a, next: next)
    }

    static func normalised(_ json: JSON) -> JSON {
        json.members(["link": { $0.members(["_0": A.normalised, "next": { normalised($0) }]) }])
    }
}
