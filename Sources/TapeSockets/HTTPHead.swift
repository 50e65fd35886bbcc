internal import CTapeSockets

/// Reads the head of a request out of a C socket.
enum HTTPHead {
    /// Headers that libwebsockets gives by name only.
    private static let others = ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "access-control-request-method"]

    /// Nil if it is no request that can be answered: an unknown method, or a path or value that is no UTF-8.
    static func read(_ socket: OpaquePointer, peer: String) -> HTTPRequest? {
        guard let method = tape_method(socket) else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
            func text(_ count: Int32) -> String? {
                guard count >= 0 else { return nil }
                return String(
                    validating: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<Int(count)]),
                    as: UTF8.self)
            }
            let size = Int32(buffer.count)
            guard let path = text(tape_path(socket, buffer.baseAddress, size)), !path.utf8.contains(0) else {
                return nil
            }

            var request = HTTPRequest(method: String(cString: method), path: path, peer: peer)
            for index in Int32(0)... {
                let count = tape_query(socket, index, buffer.baseAddress, size)
                guard count >= 0 else { break }
                guard let member = text(count) else { return nil }
                let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                request.query.append((String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
            }
            for index in Int32(0)... {
                var name: UnsafePointer<CChar>?
                let count = tape_header(socket, index, &name, buffer.baseAddress, size)
                if count == -2 { break }
                guard count >= 0, let name else { continue }
                guard let value = text(count) else { return nil }
                request.headers[String(String(cString: name).dropLast())] = value
            }
            for name in others {
                let count = tape_other_header(socket, name + ":", buffer.baseAddress, size)
                if count > 0 { request.headers[name] = text(count) }
            }
            return request
        }
    }
}
