/// Why a file can't be read as a history, or must not be replaced by one. The file isn't changed.
public enum HistoryError: Error, Hashable {
    /// The data isn't a history.
    case notAHistory
    /// A newer version of StateTape wrote the data.
    case newerFormat(Int)
    /// The data is a history, but damaged, or of other types of states and actions. The text says where.
    case unreadable(String)
    /// The history isn't saved, because a file that can't be read is in its place.
    indirect case occupied(path: String, HistoryError)
}

extension HistoryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAHistory: "The file isn't a history."
        case .newerFormat(let format):
            "The history has format \(format), and this version of StateTape reads format 1. Update StateTape."
        case .unreadable(let reason):
            "The history is damaged, or was saved with other types of states and actions: \(reason)"
        case .occupied(let path, let error):
            "The history wasn't saved to \(path), to keep the file there. \(error) Move or delete it, then save again."
        }
    }
}
