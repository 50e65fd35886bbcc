import Testing

@testable import TapeEngine

@Suite("The labels of a build") struct BuildLabelsTests {
    @Test("Each build system's variables give branch and commit; the first one that is set wins")
    func variables() {
        for (index, name) in BuildLabels.branchVariables.enumerated() {
            var environment = Dictionary(
                uniqueKeysWithValues: BuildLabels.branchVariables[index...].map { ($0, "of \($0)") })
            #expect(BuildLabels(environment).branch == "of \(name)")
            environment[name] = ""
            #expect(
                BuildLabels(environment).branch
                    == BuildLabels.branchVariables.dropFirst(index + 1).first.map { "of \($0)" })
        }
        for name in BuildLabels.commitVariables { #expect(BuildLabels([name: "c1"]).commit == "c1") }
        #expect(
            BuildLabels([:]).branch == nil && !BuildLabels([:]).isContinuous && BuildLabels(["CI": "1"]).isContinuous)
    }
}
