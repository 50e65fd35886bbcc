/// The transport of this platform.
package enum StandardTransport {
    package static func make() throws -> any Transport {
        #if os(Linux) && canImport(TapeSockets)
            try SocketsTransport()
        #else
            URLSessionTransport()
        #endif
    }
}
