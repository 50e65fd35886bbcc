import Foundation

/// A file with a token, which a person may have written.
package enum TokenFile {
    /// The shortest can't be guessed through the network in a reasonable time; a longer one can't log in.
    private static let length = 8...1_000

    /// - Returns: The token; nil if the file is absent or blank.
    /// - Throws: ``ServerError`` if it holds something that can't be a token.
    package static func read(_ path: String) throws(ServerError) -> String? {
        guard let descriptor = try DataFile.openExisting(path, O_RDONLY) else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // With room for a line's end, and one byte that would be too many.
        let content: Data
        do {
            content = try file.read(upToCount: length.upperBound + 3) ?? Data()
        } catch {
            throw ServerError(.dataFolder, "The token file \(path) can't be read: \(error.localizedDescription)")
        }
        let blanks: Set<UInt8> = [9, 10, 13, 32]
        let token = content.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
        if token.isEmpty, content.count <= length.upperBound { return nil }
        // Everything else gets lost on the way, in a header or in a shell.
        guard length ~= token.count, token.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw ServerError(
                .dataFolder,
                """
                The token file \(path) doesn't hold a token, which is one line of \(length.lowerBound) to \
                \(length.upperBound) letters, digits and signs of ASCII, without spaces. Correct it, or delete it: \
                then the server makes a new token.
                """)
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// Writes a token over what the file holds. It is never readable for other users, not even for a moment.
    ///
    /// - Throws: ``ServerError`` if the system refuses it.
    package static func write(_ token: String, to path: String) throws(ServerError) {
        let file = try DataFile.open(path, O_WRONLY)
        defer { close(file) }
        guard fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0,
            Foundation.write(file, token + "\n", token.utf8.count + 1) > token.utf8.count
        else {
            let reason = String(cString: strerror(errno))
            throw ServerError(.dataFolder, "The token file \(path) can't be written: \(reason).")
        }
    }
}
