#if os(Linux)
    import Foundation
    import TapeFormat
    import TapeSockets
    import Testing

    @testable import StateTape

    /// The same random actions through each shape of store, in each thing that the recorder does with a store.
    @Suite("Five shapes of stores", .timeLimit(.minutes(5)), .serialized)
    struct StoreShapeTests {
        /// `STATETAPE_SEED` chooses other actions. A failure names it.
        private static let seed = ProcessInfo.processInfo.environment["STATETAPE_SEED"].flatMap(UInt64.init) ?? 1

        enum Column: String, CaseIterable, Sendable {
            case record, apply, dispatch, launch, replay, travel, lockUnderLoad

            /// What is wrong with a store in this column.
            func faults(_ shape: StoreShape, seed: UInt64, isFaulty: Bool = false) async throws -> [String] {
                var scene = try StoreShapeScene(shape, seed, isFaulty: isFaulty)
                switch self {
                case .record: try await scene.record()
                case .apply: try await scene.apply()
                case .dispatch: try await scene.dispatch()
                case .launch: try await scene.launch()
                case .replay: try await scene.replay()
                case .travel: try await scene.travel()
                case .lockUnderLoad: try await scene.lockUnderLoad()
                }
                return scene.faults
            }
        }

        @Test(
            "No action is lost, doubled or out of its order, and the app has the tape's state",
            arguments: StoreShape.allCases, Column.allCases)
        func cell(_ shape: StoreShape, _ column: Column) async throws {
            let faults = try await column.faults(shape, seed: Self.seed)
            #expect(faults == [], "STATETAPE_SEED=\(Self.seed)")
        }

        @Test(
            "Each cell finds a store that changes its state beside the actions", arguments: StoreShape.allCases,
            Column.allCases)
        func faulty(_ shape: StoreShape, _ column: Column) async throws {
            #expect(try await column.faults(shape, seed: Self.seed, isFaulty: true) != [])
        }
    }
#endif
