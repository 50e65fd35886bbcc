import TapeEngine
import Testing

@Suite("Suggestions")
struct SuggestionTests {
    @Test(
        "The nearest names are suggested, at most three, and none that is far",
        arguments: [
            ("branch=mian", ["branch=main", "branch=release", "os=linux"], ["branch=main"]),
            ("branch=mai", ["branch=main", "branch=mail"], ["branch=main", "branch=mail"]),
            ("01JD3M8Q5R7V", ["01JD3M8Q5R7X2X9B4N6T0KZYWE"], ["01JD3M8Q5R7X2X9B4N6T0KZYWE"]),
            ("01jd3m8q5r7v", ["01JD3M8Q5R7V2X9B4N6T0KZYWE"], ["01JD3M8Q5R7V2X9B4N6T0KZYWE"]),
            ("01JD", ["01JD3M8Q5R", "01KD3M8Q5R"], ["01JD3M8Q5R"]),
            (
                "SESSION-1", ["SESSION-2", "SESSION-3", "SESSION-4", "SESSION-5"],
                ["SESSION-2", "SESSION-3", "SESSION-4"]
            ),
            ("abcdefgh", ["zyxwvuts"], []), ("x", ["y"], []), ("", ["a"], []), ("a", [], []),
        ])
    func near(_ wrong: String, _ known: [String], _ names: [String]) {
        #expect(Suggestion(wrong, among: known).names == names)
    }

    @Test("They are asked about in one question")
    func question() {
        #expect(Suggestion("SESSION-1", among: ["SESSION-2"]).question == " Did you mean SESSION-2?")
        #expect(
            Suggestion("SESSION-1", among: ["SESSION-2", "SESSION-3", "SESSION-4"]).question
                == " Did you mean SESSION-2, SESSION-3 or SESSION-4?")
        #expect(Suggestion("SESSION-1", among: []).question == "")
    }
}
