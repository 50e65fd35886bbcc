import Foundation
import Testing

/// Whether states are compared by their layouts: `Tests/run` runs the suite with `STATETAPE_COMPARISON=encoded`, too.
let comparesLayouts = ProcessInfo.processInfo.environment["STATETAPE_COMPARISON"] != "encoded"

extension Trait where Self == ConditionTrait {
    /// For what only a comparison of layouts does.
    static var comparesLayouts: Self { .enabled(if: StateTapeTests.comparesLayouts) }
}
