import StateTapeStore

/// Takes some seconds, and tells the story of it.
struct Download: SelfExecuting {
    struct Broken: Error {}

    var name: String
    var seconds = 1
    var fails = false
    /// Goes on after it was cancelled.
    var isStubborn = false
    let scene: Scene

    init(_ name: String, seconds: Int = 1, fails: Bool = false, in scene: Scene) {
        (self.name, self.seconds, self.fails, self.scene) = (name, seconds, fails, scene)
    }

    func reduce(_ state: inout Counter) { state.name += "<" + name }

    func execute() async throws -> Int {
        scene.story("begin \(name)")
        do {
            try await scene.clock.sleep(for: .seconds(seconds))
        } catch {
            scene.story("cancel \(name)")
            // Another task, which isn't cancelled.
            if isStubborn { await Task { [story = scene.story] in await story.told("let go") }.value }
            return 0  // ignores that it was cancelled
        }
        scene.story("end \(name)")
        if fails { throw Broken() }
        return name.count
    }

    func reduce(_ state: inout Counter, _ output: Int) {
        state.name += ">" + name
        state.count += output
    }

    func reduce(_ state: inout Counter, failure: String) { state.name += "!" + failure }
}

/// An action that is a class, and has no work.
final class Rename: SelfReducing {
    let name: String

    init(_ name: String) { self.name = name }

    func reduce(_ state: inout Counter) { state.name = name }
}
