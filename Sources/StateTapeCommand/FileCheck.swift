import TapeEngine
import TapeFormat

/// The result of checking one tape file: its format, its events' members and times, and every patch.
struct FileCheck {
    let name: String
    /// The number of events; nil if the file can't be opened.
    let events: Int?
    /// Each begins with the file's name.
    let problems: [String]
    /// What to do if the file can't be opened.
    let remedy: String?
    /// The number of the line in which the file is cut off.
    let cutLine: Int?

    var json: JSON {
        var json = JSON.Object([("file", .string(name)), ("problems", .array(problems.map(JSON.string)))])
        json["events"] = events.map { .number(.init($0)) }
        json["cutLine"] = cutLine.map { .number(.init($0)) }
        return .object(json)
    }

    /// - Parameter found: Called with each problem at once.
    init(_ name: String, found: (String) -> Void = { _ in }) {
        self.name = name
        var (events, cutLine, remedy): (Int?, Int?, String?)
        var problems: [String] = []
        func add(_ problem: String) {
            let problem = problem.onOneLine
            problems.append(problem)
            found(problem)
        }
        do {
            let tape = try TapeName.open(InputFile(name), notesCut: false)
            events = tape.seqs.count
            cutLine = tape.cutLine
            var (check, times) = (TapeCheck(tape), TapeTimes(tape.header))
            if let problem = times.headerProblem { add("\(name): \(problem).") }
            var next = tape.seqs.lowerBound
            while let lines = try tape.lines(from: next), let last = lines.last {
                for line in lines {
                    for problem in EventMembers.problems(of: line) { add("\(name): \(problem)") }
                    if let problem = times.take(line) { add("\(name): \(problem)") }
                }
                for problem in try check.take(Array(lines)) { add("\(name): \(problem)") }
                next = last.seq + 1
            }
        } catch {
            events = nil
            remedy = (error as? Failure)?.remedy ?? "Check the path and its permissions."
            add("\(error)")
        }
        self.problems = problems
        (self.events, self.cutLine, self.remedy) = (events, cutLine, remedy)
    }
}
