import TapeFormat
import TapeUplink

// Names the stores' types on the tape, on the recorder's thread.
extension RecordingSession {
    /// The most bytes that the stores' types take in the header. Those of further stores are on their `init` lines.
    private static let longest = 4 << 10

    /// Writes the types of the stores that are attached by now to the header, before its first line or `hello`.
    func completeHeader() {
        guard !isHeaderComplete else { return }
        isHeaderComplete = true
        let header = typed(link.state.sessionIdentity.header)
        guard header != link.state.sessionIdentity.header else { return }
        link.state.sessionIdentity.header = header
        file?.replace(header: header)
        spool?.identify(as: link.state.sessionIdentity)
    }

    /// A header with the types of the stores so far.
    func typed(_ header: Header) -> Header {
        var header = header
        var bytes = 0
        for (store, types) in stores.withLock({ $0.types }).sorted(by: { $0.key < $1.key }) {
            bytes += store.utf8.count + types.json.bytes.count
            if bytes <= Self.longest { header.types[store] = types }
        }
        let main = header.types["main"] ?? header.types.min { $0.key < $1.key }?.value
        header.target = main?.target
        return header
    }

    /// The types of a store that the header lacks, for its `init` line.
    func typesBesideHeader(of store: String) -> JSON? {
        completeHeader()
        let types = stores.withLock { $0.types[store] }
        let isInHeader = link.state.sessionIdentity.header.types[store] == types && file?.hasFirstHeader != true
        return isInHeader ? nil : types?.json
    }
}

extension Header.StoreTypes {
    /// The module of the state, or of the action if the state's type is not the app's.
    fileprivate var target: String? {
        [state, action].lazy.map { String($0.prefix { $0 != "." }) }
            .first { !$0.contains(" ") && !["Any", "Foundation", "Swift"].contains($0) }
    }
}
