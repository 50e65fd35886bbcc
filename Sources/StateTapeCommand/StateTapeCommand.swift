#if Server
    import ArgumentParser

    @main
    struct StateTapeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "statetape",
            abstract: "Records what the stores of apps do, shows it, and plays any state back into the running app.",
            discussion: """
                Exit codes: 0 done, 1 failed, 64 wrong usage.
                An app finds the server through STATETAPE_URL and STATETAPE_TOKEN; so do the commands that talk to one.
                """,
            version: "statetape 0.1.0",
            subcommands: [
                Serve.self, Demo.self, Sessions.self, Push.self, Import.self, Export.self, Diff.self, Prune.self,
                Check.self,
            ]
        )
    }
#else
    @main
    struct StateTapeCommand {
        static func main() {
            print("statetape was built without its server: build it with --traits Server.")
        }
    }
#endif
