import CShapes

/// The list of all shapes.
package enum StateShapes {
    package static let all: [any Shape.Type] = fromC + fromSwift + holders + encodings

    private static let fromC: [any Shape.Type] = [
        CState<cs_decimal>.self, CState<cs_bits>.self, CState<cs_wide_bits>.self, CState<cs_flags>.self,
        CState<cs_anonymous_union>.self, CState<cs_anonymous_struct>.self, CState<cs_named_union>.self,
        CState<cs_complex>.self, CState<cs_complex_float>.self, CState<cs_atomic>.self, CState<cs_int128>.self,
        CState<cs_padded>.self, CState<cs_packed>.self, CState<cs_large>.self, CState<cs_pointer>.self,
        CState<cs_hidden_pointer>.self, CState<cs_vector>.self, CState<cs_nested>.self,
    ]

    private static let fromSwift: [any Shape.Type] =
        wide + [
            Padded.self, Enums.self, Generics.self, Tuples.self, HugeTuple.self, Wrappers.self, Types.self,
            ThinTypes.self,
            Numbers.self, FoundationValues.self, Slices.self, Dictionaries.self, ResilientValues.self,
        ]

    private static var wide: [any Shape.Type] {
        if #available(macOS 15, iOS 18, *) { [WideIntegers.self] } else { [] }
    }

    private static let holders: [any Shape.Type] = [
        InstanceHolder.self, ExistentialHolder.self, AnyHolder.self, ClosureHolder.self, ReferenceHolder.self,
        UniqueHolder.self, PathHolder.self, BufferHolder.self, ClassState.self, Endless.self, ResilientInstance.self,
    ]

    private static let encodings: [any Shape.Type] = [Throwing.self, Twice.self, Silent.self, Shifting.self]
}
