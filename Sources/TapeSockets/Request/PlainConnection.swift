import TapeFormat

#if os(Linux)
    import Foundation

    /// A connection that one thread uses; another may cancel it.
    final class PlainConnection: Sendable {
        private struct State {
            var socket: Int32 = -1
            var isCancelled = false
        }

        private let state = Locked(State())
        private let timeout: Duration

        init(timeout: Duration) {
            self.timeout = timeout
        }

        /// Connects to the first of the host's addresses that answers.
        func open(_ host: String, _ port: Int) throws(PlainFailure) {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var found: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, String(port), &hints, &found)
            guard code == 0 else { throw PlainFailure(.unknownHost, String(cString: gai_strerror(code))) }
            defer { freeaddrinfo(found) }
            var failure = PlainFailure(.unknownHost, "the host has no address")
            var next = found
            while let address = next?.pointee {
                do throws(PlainFailure) {
                    return try connect(address)
                } catch {
                    failure = error
                }
                next = address.ai_next
            }
            throw failure
        }

        private func connect(_ address: addrinfo) throws(PlainFailure) {
            let socket = Glibc.socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard socket >= 0 else { throw Self.failure(.unreachable) }
            // The time limit of sending is that of connecting, too.
            var limit = timeval(tv_sec: max(1, Int(timeout.components.seconds)), tv_usec: 0)
            for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
                setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            guard Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 else {
                defer { Glibc.close(socket) }
                throw Self.failure(.unreachable)
            }
            let isCancelled = state.withLock { state in
                state.socket = socket
                return state.isCancelled
            }
            if isCancelled { cancel() }
        }

        private var socket: Int32 { state.withLock { $0.socket } }

        /// - Throws: ``PlainFailure``, also if the peer answers or closes before it has read everything: it may read no more.
        func write(_ bytes: [UInt8]) throws(PlainFailure) {
            var count = 0
            while count < bytes.count {
                try waitUntilWritable()
                let more = bytes.withUnsafeBytes { bytes in
                    send(
                        socket, bytes.baseAddress.map { $0 + count }, bytes.count - count,
                        Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
                if more < 0, errno == EINTR || errno == EAGAIN { continue }
                guard more > 0 else { throw Self.failure(.lost) }
                count += more
            }
        }

        private func waitUntilWritable() throws(PlainFailure) {
            var place = pollfd(fd: socket, events: Int16(POLLIN | POLLOUT), revents: 0)
            var ready: Int32
            repeat {
                ready = poll(&place, 1, Int32(clamping: timeout.components.seconds * 1_000))
            } while ready < 0 && errno == EINTR
            guard ready > 0 else { throw PlainFailure(.timedOut, "The request timed out.") }
            guard place.revents & Int16(POLLOUT) != 0, place.revents & Int16(POLLIN) == 0 else {
                throw PlainFailure(.lost, "the server ended the connection")
            }
        }

        /// The next bytes; empty at the end.
        func read() throws(PlainFailure) -> [UInt8] {
            while true {
                var count = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
                    count = recv(socket, buffer.baseAddress, buffer.count, 0)
                    filled = max(0, count)
                }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw Self.failure(.lost) }
                return bytes
            }
        }

        /// Ends the exchange from another thread.
        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                if state.socket >= 0 { shutdown(state.socket, Int32(SHUT_RDWR)) }
            }
        }

        func close() {
            state.withLock { state in
                if state.socket >= 0 { Glibc.close(state.socket) }
                state.socket = -1
            }
        }

        private static func failure(_ kind: PlainFailure.Kind) -> PlainFailure {
            let code = errno
            let isTime = code == EAGAIN || code == EINPROGRESS || code == ETIMEDOUT
            return PlainFailure(
                isTime ? .timedOut : kind, isTime ? "The request timed out." : String(cString: strerror(code)))
        }
    }
#endif
