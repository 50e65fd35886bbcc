#if canImport(Darwin)
    import Darwin
    import Dispatch
    import Foundation
    import TapeFormat

    /// Notices changes in folders with Dispatch's file-system sources. A folder's source doesn't report that a file was
    /// written in place, so the files are looked at every half second, too.
    final class FileWatcher: Sendable {
        private let sources = Locked<[String: any DispatchSourceFileSystemObject]>([:])
        private let changed = DispatchSemaphore(value: 0)

        init() throws {}

        func watch(_ folders: [String]) throws {
            sources.withLock { sources in
                for (folder, source) in sources where !folders.contains(folder) {
                    source.cancel()
                    sources[folder] = nil
                }
                for folder in folders where sources[folder] == nil {
                    let descriptor = open(folder, O_EVTONLY | O_CLOEXEC)
                    if descriptor < 0 { continue }
                    let source = DispatchSource.makeFileSystemObjectSource(
                        fileDescriptor: descriptor, eventMask: [.write, .delete, .rename, .extend])
                    source.setEventHandler { [changed] in changed.signal() }
                    source.setCancelHandler { close(descriptor) }
                    source.resume()
                    sources[folder] = source
                }
            }
        }

        func wait(atMost limit: Duration) -> Bool {
            _ = changed.wait(timeout: .now() + .milliseconds(500))
            for _ in 0..<50 where changed.wait(timeout: .now() + .milliseconds(10)) == .timedOut { break }
            return true
        }
    }
#endif
