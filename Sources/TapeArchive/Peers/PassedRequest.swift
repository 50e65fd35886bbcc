/// A request of the API that another server answers. Whoever passes it has checked that the client may make it.
package struct PassedRequest: Sendable, Equatable {
    package let method: String
    package let path: String
    package let body: [UInt8]

    package init(method: String, path: String, body: [UInt8]) {
        self.method = method
        self.path = path
        self.body = body
    }
}

/// The answer to a passed request.
package struct PassedAnswer: Sendable, Equatable {
    package let status: Int
    /// The content type; nil without a body.
    package let type: String?
    package let body: [UInt8]

    package init(status: Int, type: String?, body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }
}
