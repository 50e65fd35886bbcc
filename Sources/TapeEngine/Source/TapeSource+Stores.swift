extension TapeSource {
    /// Which stores the tape has in place of an unknown one, as a sentence with a space before it; empty if it has that one.
    ///
    /// The page makes the same text, in `web/file/redux-export.js`.
    package func storesBesides(_ store: String) throws -> String {
        let names = try stores(upTo: seqs.upperBound - 1)
        guard !names.contains(where: { $0.utf8.elementsEqual(store.utf8) }) else { return "" }
        let most = 10
        let shown = names.prefix(most).map { "“\($0)”" }.joined(separator: ", ")
        return names.isEmpty ? " It has no store." : " It has \(shown)\(names.count > most ? " and others" : "")."
    }
}
