/// A type that is private to this file.
enum TwinInAnotherFile {
    static var type: any Codable.Type { Twin.self }
    static var value: any Codable { Twin() }

    static var local: any Codable.Type {
        struct Twin: Codable {}
        return Twin.self
    }
}

private struct Twin: Codable {
    var file = "TwinInAnotherFile"
}
