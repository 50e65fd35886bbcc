/// What was told between servers.
package struct BrokerCounts: Sendable {
    /// How often this server has told others something, and how often others have told it.
    package var sent = 0
    package var received = 0
    /// How often it read without being told, because it could not listen or as a safeguard.
    package var polls = 0
    /// Whether the database tells it at once.
    package var isListening = false
    /// By server: the seconds from the last news to their arrival here.
    package var lags: [String: Double] = [:]
    /// Requests to other servers, and how many of them were not answered in time.
    package var passed = 0
    package var unanswered = 0
    /// Requests of other servers that this one has answered.
    package var answered = 0

    package init() {}
}
