import StateTapeStore

/// A note that someone made on a page.
struct Annotation: Codable, Equatable, Sendable {
    let id: Int
    var text: String
    var kind: Kind

    enum Kind: String, Codable, CaseIterable, Sendable {
        case question, remark
    }
}

/// All annotations, and those kinds that the user wants to see.
struct Annotations: Codable, Equatable, Sendable {
    var all: [Annotation] = []
    var shownKinds = Annotation.Kind.allCases
}

enum AnnotationsAction: Codable, Equatable, Sendable {
    case added(annotation: Annotation)
    case toggled(kind: Annotation.Kind)
}

@Sendable func reduceAnnotations(_ annotations: inout Annotations, _ action: AnnotationsAction) {
    switch action {
    case .added(let annotation): annotations.all.append(annotation)
    case .toggled(let kind):
        if annotations.shownKinds.contains(kind) {
            annotations.shownKinds.removeAll { $0 == kind }
        } else {
            annotations.shownKinds.append(kind)
        }
    }
}
