// Types whose names other modules have, too.

public struct Twin: Codable, Equatable, Sendable {
    public var module = "ResilientShapes"

    public init() {}
}

public enum TwinFeature {
    public struct Twin: Codable, Equatable, Sendable {
        public var module = "ResilientShapes.TwinFeature"

        public init() {}
    }
}

public enum TwinCase: Codable, Equatable, Sendable {
    case add(Int)
    case clear
}
