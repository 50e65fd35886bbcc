/// A JUnit XML file with the result of checking files.
struct JUnitReport {
    /// The result of one file.
    struct Case {
        let name: String
        let problems: [String]
    }

    let suite: String
    let cases: [Case]

    var text: String {
        let failures = cases.count { !$0.problems.isEmpty }
        let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\""
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
            "<testsuite name=\"\(Markup.xml(suite))\" \(counts)>",
        ]
        for item in cases {
            let name = "<testcase classname=\"\(Markup.xml(suite))\" name=\"\(Markup.xml(item.name))\""
            guard let first = item.problems.first else {
                lines.append("\(name) />")
                continue
            }
            let all = Markup.xml(item.problems.joined(separator: "\n"))
            lines.append("\(name)><failure message=\"\(Markup.xml(first))\">\(all)</failure></testcase>")
        }
        return (lines + ["</testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }
}
