/// What was told between servers.
struct BrokerFigures: Sendable {
    /// How often this server has told others something, and how often others have told it.
    var sent = 0
    var received = 0
    /// How often it read without being told, because it could not listen or as a safeguard.
    var polls = 0
    /// Whether the database tells it at once.
    var isListening = false
    /// By server: the seconds from the last news to their arrival here.
    var lags: [String: Double] = [:]
    /// Requests to other servers, and how many of them were not answered in time.
    var passed = 0
    var unanswered = 0
    /// Requests of other servers that this one has answered.
    var answered = 0
}
