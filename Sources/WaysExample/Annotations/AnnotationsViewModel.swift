import StateTapeStore

/// What the view shows of the annotations: texts, and nothing to decide.
struct AnnotationsViewModel: Equatable, Sendable {
    let lines: [String]
    let title: String

    init(_ annotations: Annotations) {
        let shown = annotations.all.filter { annotations.shownKinds.contains($0.kind) }
        lines = shown.map { "\($0.kind == .question ? "?" : "-") \($0.text)" }
        title = "\(shown.count) of \(annotations.all.count)"
    }
}

/// Gives view models to views. A view receives one only if it differs from the last.
struct AnnotationsViewModelProvider {
    let store: Store<Annotations, AnnotationsAction>

    func subscribe(_ show: @escaping (AnnotationsViewModel) -> Void) -> Subscription {
        store.subscribe(AnnotationsViewModel.init, show)
    }
}
