import StateTape
import StateTapeStore

/// Flux: a view dispatches, the store reduces, and a provider makes the view model.
@MainActor final class AnnotationsApp {
    let dispatcher: Dispatcher<AnnotationsAction>
    let provider: AnnotationsViewModelProvider

    init(_ recorder: Recorder) {
        let store = Store(initial: Annotations(), reducer: reduceAnnotations).taped(by: recorder)
        dispatcher = Dispatcher()
        provider = AnnotationsViewModelProvider(store: store)
        store.hold(dispatcher.register(store))
    }

    /// A short script: two annotations, then only the remarks.
    func run() {
        dispatcher.dispatch(.added(annotation: Annotation(id: 1, text: "Is this the newest plan?", kind: .question)))
        dispatcher.dispatch(.added(annotation: Annotation(id: 2, text: "Nicely drawn.", kind: .remark)))
        dispatcher.dispatch(.toggled(kind: .question))
    }
}
