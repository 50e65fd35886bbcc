import Dispatch

@testable import StateTape

extension Recorder {
    /// Keeps the recorder's thread busy while `body` runs.
    func whileBusy<Output>(_ body: () throws -> Output) rethrows -> Output {
        let (reached, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        session?.thread.queue.async {
            reached.signal()
            opened.wait()
        }
        reached.wait()
        defer { opened.signal() }
        return try body()
    }
}
