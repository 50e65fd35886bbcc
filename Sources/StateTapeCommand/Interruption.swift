#if Server
    import Dispatch
    import Foundation

    /// Waits until the process is told to end, by SIGINT (Ctrl-C) or SIGTERM.
    enum Interruption {
        static func wait() async {
            let (signals, arrived) = AsyncStream.makeStream(of: Void.self)
            let sources = [SIGINT, SIGTERM].map { number in
                // The default action would end the process before the source is asked.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler { arrived.yield() }
                source.resume()
                return source
            }
            for await _ in signals { break }
            sources.forEach { $0.cancel() }
        }
    }
#endif
