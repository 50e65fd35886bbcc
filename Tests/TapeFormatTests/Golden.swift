import Foundation
import TapeFormat
import Testing

/// The golden files: every implementation of the format must parse and write them.
enum Golden {
    static func bytes(_ name: String) throws -> [UInt8] {
        let file = try #require(Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Golden"))
        return [UInt8](try Data(contentsOf: file))
    }

    static func json(_ name: String) throws -> JSON { try JSON(parsing: bytes(name)) }

    static func lines(_ name: String) throws -> [[UInt8]] {
        try bytes(name).split(separator: UInt8(ascii: "\n")).map(Array.init)
    }
}
