/// Sends a run's reports in order, the last one again every 30 s, so that the server keeps it.
struct Reporter: Sendable {
    private let reports: AsyncStream<RunReport>.Continuation
    private let sending: Task<Void, Never>

    init(_ server: RunServer, _ messages: Messages) {
        let (stream, reports) = AsyncStream.makeStream(of: RunReport.self, bufferingPolicy: .bufferingNewest(8))
        self.reports = reports
        sending = Task {
            var renewal: Task<Void, any Error>?
            var isReached = true
            for await report in stream {
                renewal?.cancel()
                do {
                    _ = try await server.json("PUT", "/api/v1/runs/\(server.id)", body: report.json)
                    isReached = true
                } catch {
                    if isReached { messages.say("The page can't show this run: \(error)") }
                    isReached = false
                }
                renewal = Task {
                    try await Task.sleep(for: .seconds(30))
                    reports.yield(report)
                }
            }
            renewal?.cancel()
            _ = try? await server.json("DELETE", "/api/v1/runs/\(server.id)")
        }
    }

    func send(_ report: RunReport) { reports.yield(report) }

    /// Waits until the last report has arrived, and ends the run at the server.
    func end() async {
        reports.finish()
        await withTaskCancellationHandler {
            await sending.value
        } onCancel: {
            sending.cancel()
        }
    }
}
