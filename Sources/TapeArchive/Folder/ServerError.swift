/// Why a server did not start, with what to change, in one sentence.
package struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case portInUse, address, certificate, sockets, dataFolder, dataInUse, newerDatabase, archive, database, token
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
