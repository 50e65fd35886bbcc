import ArgumentParser
import Foundation
import StateTapeServer

@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statetape-bench",
        abstract: "Measure StateTape's performance, and print one JSON object per line.",
        discussion: """
            A line has a value and, if possible, a floor: the cost of the same work without StateTape. Both are medians \
            of alternating runs, so that a busy machine slows both. Compare ratios, not values, and those \
            of one build: debug or release.
            """
    )

    @Argument(help: "The benchmarks to run (default: all that need no database, or all if there is one).")
    var names: [Name] = []

    @Flag(help: "Run fewer rounds; all benchmarks together take less than a minute.")
    var quick = false

    @Option(
        help: """
            Let ‘ingest’, ‘load’ and ‘archive’ record into this PostgreSQL database, given by its URL. ‘move’ copies \
            there and back, and ‘servers’ starts three servers with it, behind HAProxy; both need it. Each run has a \
            schema of its own, dropped afterwards.
            """)
    var database: String?

    @Option(help: "How often ‘servers’ kills a server while apps record (default: 100, with --quick 5).")
    var kills: Int?

    enum Name: String, CaseIterable, ExpressibleByArgument {
        case capture, dispatch, wire, large, memory, ingest, archive, state, fanout, load, idle
        case `import`, diff, seal, search, replay, reload, store, move, servers

        var needsDatabase: Bool { self == .move || self == .servers }
    }

    func run() async throws {
        if let kind = ProcessInfo.processInfo.environment[BenchProcess.variable].flatMap(BenchProcess.Kind.init) {
            return try BenchProcess.serve(kind)
        }
        Descriptors.raise()
        if database == nil, let name = names.first(where: \.needsDatabase) {
            let message = "‘\(name)’ needs --database with the URL of a PostgreSQL database.\n"
            FileHandle.standardError.write(Data(message.utf8))
            throw ExitCode.validationFailure
        }
        let all = Name.allCases.filter { database != nil || !$0.needsDatabase }
        for name in names.isEmpty ? all : names {
            switch name {
            case .capture: try CaptureBenchmark(quick: quick).run()
            case .dispatch: DispatchBenchmark(quick: quick).run()
            case .wire: try WireBenchmark(quick: quick).run()
            case .large: try LargeBenchmark(quick: quick).run()
            case .memory: try MemoryBenchmark(quick: quick).run()
            case .ingest: try IngestBenchmark(quick: quick, database: database).run()
            case .archive: try ArchiveBenchmark(quick: quick, database: database).run()
            case .import: try ImportBenchmark(quick: quick).run()
            case .state: try StateBenchmark(quick: quick).run()
            case .diff: try DiffBenchmark(quick: quick).run()
            case .fanout: try FanOutBenchmark(quick: quick).run()
            case .seal: try SealBenchmark(quick: quick).run()
            case .search: try SearchBenchmark(quick: quick).run()
            case .replay: try ReplayBenchmark(quick: quick).run()
            case .reload:
                try ReloadBenchmark(quick: quick).run()
                try LoopBenchmark(quick: quick).run()
            case .store: StoreBenchmark(quick: quick).run()
            case .load: try LoadBenchmark(quick: quick, database: database).run()
            case .idle: try IdleBenchmark(quick: quick).run()
            case .move:
                guard let database else { continue }
                try MoveBenchmark(quick: quick, database: database).run()
            case .servers:
                guard let database else { continue }
                try ServersBenchmark(quick: quick, database: database, kills: kills ?? (quick ? 5 : 100)).run()
            }
        }
    }
}
