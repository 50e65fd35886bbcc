import ArgumentParser
import TodoExample

@main struct TodoExampleApp {
    static func main() async { await TodoExampleCommand.main() }
}
