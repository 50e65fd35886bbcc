import Testing

@testable import TapeEngine

@Suite struct CheckedTextTests {
    private func members(_ text: String) -> [String] {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            var found: [String] = []
            _ = CheckedText(bytes).contains(memberOf: 0..<bytes.count) { key, value in
                found.append(
                    String(decoding: bytes[key], as: UTF8.self) + "="
                        + String(decoding: bytes[value], as: UTF8.self))
                return false
            }
            return found
        }
    }

    private func elements(_ text: String) -> [String] {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            var found: [String] = []
            _ = CheckedText(bytes).contains(elementOf: 0..<bytes.count) {
                found.append(String(decoding: bytes[$0], as: UTF8.self))
                return false
            }
            return found
        }
    }

    @Test("Members and elements have exact ranges, without surrounding white space")
    func places() {
        #expect(members("{}") == [] && members(" { } ") == [] && elements("[]") == [] && elements("[ ]") == [])
        #expect(
            members(#"{"a":1,"b":"x\"}","c":{"a":[1,{"z":"]"}]},"d":[[],{}],"":null}"#)
                == ["a=1", #"b="x\"}""#, #"c={"a":[1,{"z":"]"}]}"#, "d=[[],{}]", "=null"])
        #expect(members("{ \"a\" : 1.5e3\n, \"b\\\\\" :\ttrue }") == ["a=1.5e3", "b\\\\=true"])
        #expect(
            elements("[1, \"a,b\" ,[2,3],{\"x\":[]}, false]") == ["1", "\"a,b\"", "[2,3]", "{\"x\":[]}", "false"])
    }

    @Test("The iteration ends at the first match")
    func wanted() {
        Array("[1,2,3]".utf8).withUnsafeBufferPointer { bytes in
            var count = 0
            let isFound = CheckedText(bytes).contains(elementOf: 0..<bytes.count) { _ in
                count += 1
                return count == 2
            }
            #expect(isFound && count == 2)
        }
    }

    @Test("For invalid JSON all ranges are inside of the text")
    func garbage() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("{}[]\":,\\ a1\n".utf8)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
            text.withUnsafeBufferPointer { bytes in
                let (text, all) = (CheckedText(bytes), 0..<bytes.count)
                var isInside = true
                _ = text.contains(memberOf: all) { key, value in
                    isInside =
                        isInside && all.contains(value.lowerBound) && value.upperBound <= bytes.count
                        && key.upperBound <= bytes.count
                    return text.contains(elementOf: value) { element in
                        isInside =
                            isInside && value.lowerBound <= element.lowerBound
                            && element.upperBound <= value.upperBound
                        return text.contains(memberOf: element) {
                            !($0.upperBound <= bytes.count && $1.upperBound <= bytes.count)
                        }
                    }
                }
                _ = text.contains(elementOf: all) {
                    isInside = isInside && $0.upperBound <= bytes.count
                    return false
                }
                #expect(isInside, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}
