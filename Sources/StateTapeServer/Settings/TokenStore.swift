import Foundation
import TapeArchive
import TapeArchivePostgres

/// Keeps the tokens that a server makes.
protocol TokenStore: Sendable {
    /// The token of this role, made at the first call.
    func token(_ role: Role) throws(ServerError) -> KeptToken
    /// Deletes a token that nobody has seen.
    func forget(_ role: Role)
}

/// A token that a server has made.
struct KeptToken: Sendable {
    let value: String
    let isNew: Bool
    /// Where a person finds it.
    let place: String
}

extension DataFolder: TokenStore {
    private func file(_ role: Role) -> URL { role == .view ? viewToken : token }

    func token(_ role: Role) throws(ServerError) -> KeptToken {
        let (value, isNew) = try keptToken(in: file(role))
        return KeptToken(value: value, isNew: isNew, place: file(role).path)
    }

    func forget(_ role: Role) { try? FileManager.default.removeItem(at: file(role)) }
}

extension PostgresArchive: TokenStore {
    func token(_ role: Role) throws(ServerError) -> KeptToken {
        do {
            let (value, isNew) = try secret(role.rawValue, or: RandomName.make())
            let place = "the database: SELECT value FROM \(schema).secret WHERE name = '\(role.rawValue)'"
            return KeptToken(value: value, isNew: isNew, place: place)
        } catch {
            throw ServerError(.archive, "The token can't be stored in \(address): \(error).")
        }
    }

    func forget(_ role: Role) { try? forgetSecret(role.rawValue) }
}
