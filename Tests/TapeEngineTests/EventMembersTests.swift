import TapeFormat
import Testing

@testable import TapeEngine

@Suite("The members of an event") struct EventMembersTests {
    private static let name = String(repeating: "é", count: 512)

    @Test(
        "A call stack has at most 32 functions with short names, or names an earlier event",
        arguments: [
            (#"["f()"]"#, nil), (#"["\#(name)"]"#, nil), ("[\(list(32))]", nil), (#"{"seq":6}"#, nil),
            (#"{"seq":0,"more":1}"#, nil),
            ("[]", "must be"), ("[1]", "must be"), (#"["f()",null]"#, "must be"), (#"["\#(name)x"]"#, "must be"),
            ("[\(list(33))]", "must be"), (#""f()""#, "must be"), ("7", "must be"), ("null", "must be"),
            ("{}", "must be"),
            (#"{"seq":7}"#, "must name an earlier event"), (#"{"seq":-1}"#, "must name an earlier event"),
            (#"{"seq":1.5}"#, "must name an earlier event"), (#"{"seq":"6"}"#, "must name an earlier event"),
            (#"{"seq":1e999}"#, "must name an earlier event"), (#"{"seq":null}"#, "must name an earlier event"),
        ] as [(String, String?)])
    func callStack(_ stack: String, _ problem: String?) throws {
        let line = #"{"seq":7,"at":0,"event":"action","action":{"type":"a"},"patch":[],"stack":\#(stack)}"#
        let problems = EventMembers.problems(of: try EventLine(parsing: Array(line.utf8)))
        #expect(problems.count == (problem == nil ? 0 : 1))
        if let problem { #expect(problems.first?.hasPrefix("event 7: member “stack” \(problem)") == true) }
    }

    private static func list(_ count: Int) -> String {
        Array(repeating: #""f()""#, count: count).joined(separator: ",")
    }
}
