package import ArgumentParser
import StateTape

/// The examples' command line.
@main
package struct WaysExampleCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "ways-example",
        abstract: "Small apps in the ways of working that StateTapeStore has.",
        discussion: "Each runs a few actions and prints its states. Set STATETAPE_URL to record it.",
        subcommands: [CounterCommand.self, AnnotationsCommand.self, SearchCommand.self, FeedCommand.self])

    package init() {}
}
