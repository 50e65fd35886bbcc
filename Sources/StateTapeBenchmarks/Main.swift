@main struct StateTapeBenchmarksMain { static func main() {} }
