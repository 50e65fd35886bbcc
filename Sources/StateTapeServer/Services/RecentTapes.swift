import TapeArchive

/// Keeps the lines that apps have just sent for those who read them next.
struct RecentTapes: CoreService {
    let tapes: Tapes

    func handle(_ event: CoreEvent) {
        if case .committed(_, let batch, .some) = event { tapes.reader.keep(batch) }
    }
}
