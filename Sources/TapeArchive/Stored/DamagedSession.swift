package import TapeFormat

/// A change of a session was refused, since it would overwrite what can't be read.
package struct DamagedSession: Error, CustomStringConvertible {
    /// What is damaged, such as “header”.
    package let part: String
    package let session: String

    package var description: String {
        """
        The \(part) of session \(session) is damaged, and stays as it is. “statetape check” lists all damage, and \
        “statetape repair” copies what can be read.
        """
    }
}

/// A session was deleted while it was read.
package struct DeletedSession: Error, CustomStringConvertible {
    package let id: String

    package var description: String { "Session \(id) was deleted meanwhile." }
}

extension Session {
    /// The header, for a change of it.
    ///
    /// - Throws: ``DamagedSession`` instead of a substitute.
    package var intactHeader: Header {
        get throws(DamagedSession) {
            if isHeaderDamaged { throw DamagedSession(part: "header", session: id) }
            return header
        }
    }

    /// - Throws: ``DamagedSession`` if it isn't known where the next event belongs.
    package func checkEnd() throws(DamagedSession) {
        if isEndDamaged { throw DamagedSession(part: "end", session: id) }
    }
}
