@main struct TodoExampleMain { static func main() {} }
