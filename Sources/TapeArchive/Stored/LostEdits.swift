/// Confirmed changes by users that are missing. What they were is unknown.
package enum LostEdits {
    package static func text(_ count: Int) -> String {
        let changes =
            count == 1
            ? "1 change by a user was confirmed, and is" : "\(count) changes by users were confirmed, and are"
        return "\(changes) missing: look at titles, labels, bookmarks, device names, launch states and deletions"
    }
}
