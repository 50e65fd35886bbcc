@main struct StateTapeCommandMain { static func main() {} }
