import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape

@Suite("Secrets whose name is a value")
struct SecretShapesTests {
    @Test(
        "No shape leaks, in whole states, patches, actions and notes, and each patch leads to the whole state",
        arguments: SecretShape.all)
    func leaks(shape: SecretShape) throws {
        #expect(try shape.leaks().prefix(3).joined(separator: "\n") == "")
    }

    @Test("What only looks like a name and a value is kept", arguments: SecretShape.kept)
    func kept(text: String) throws {
        let json = try JSON(parsing: text)
        let buffer = ByteBuffer()
        try DirectEncoder().encode(PlainJSON(json), to: buffer)
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == json.text)
    }
}
