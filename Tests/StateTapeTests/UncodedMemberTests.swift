import StateShapes
import Testing

@testable import StateTape

@Suite("Stored members that coding leaves out")
struct UncodedMemberTests {
    @Test(
        "Applying a state keeps the app's values of them, or lists them as lost", arguments: UncodedShapes.all.indices)
    func shapes(index: Int) throws {
        for failure in try UncodedShapes.all[index].failures() { Issue.record("\(failure)") }
    }
}
