#if Server
    import StateTape
    import TapeFormat

    /// Measures the size of a sealed session on disk, including the rest of its archive.
    struct ArchiveBenchmark {
        let quick: Bool

        func run() throws {
            if let states = try RealData.fires() {
                // Full states, like clients that don't support patches.
                try measure("ca-fires", SealedRun([states.enumerated().map(Self.line)]))
            }
            if let edits = try RealData.edits() {
                let actions = edits.map { TextAction.edit(at: $0.position, removed: $0.removed, text: $0.inserted) }
                try measure("text", SealedRun(TextState(bytes: 0), actions, TextState.reduce))
            }
            let actions = (0..<(quick ? 500 : 5_000)).map { BenchAction.toggle($0 * 7) }
            try measure("1MB", SealedRun(BenchState.ofSize(1_000_000), actions, BenchState.reduce))
        }

        private func measure(_ name: String, _ run: SealedRun) {
            let events = Double(run.events)
            Measurement(
                bench: "archive", name: name, value: Double(run.bytesOnDisk) / events, unit: "B", better: .lower,
                floor: ("the states as JSON", Double(run.stateBytes) / events)
            ).print()
        }

        private static func line(_ index: Int, _ state: JSON) -> EventLine {
            guard index > 0 else { return EventLine(seq: 0, at: 0, kind: .`init`, members: [("state", state)]) }
            return EventLine(
                seq: index, at: Double(index), kind: .action,
                members: [("action", ["type": "feed/loaded"]), ("state", state)])
        }
    }
#endif
