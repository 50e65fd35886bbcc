import Foundation
import TapeFormat

/// Types that are values although they contain class instances: they copy on write, or never change once made.
enum ValueTypes {
    /// By the types themselves; no other code shares what is inside them.
    static let whole: Set<ObjectIdentifier> = {
        var types: [Any.Type] = [
            String.self, Substring.self, Character.self, StaticString.self, String.UTF8View.self, String.UTF16View.self,
            String.UnicodeScalarView.self, Substring.UTF8View.self, Substring.UTF16View.self,
            Substring.UnicodeScalarView.self,
            Data.self, URL.self, URLComponents.self, URLQueryItem.self, Locale.self, TimeZone.self, Calendar.self,
            IndexPath.self, IndexSet.self, CharacterSet.self, PersonNameComponents.self, DateInterval.self,
            AttributedString.self, Morphology.self,
        ]
        types.append(contentsOf: [Decimal.self, Date.self, UUID.self] as [Any.Type])
        // Classes that never change.
        types.append(contentsOf: units)
        return Set(types.map { ObjectIdentifier($0) })
    }()

    private static let units: [Any.Type] = [
        UnitAcceleration.self, UnitAngle.self, UnitArea.self, UnitConcentrationMass.self, UnitDispersion.self,
        UnitDuration.self, UnitElectricCharge.self, UnitElectricCurrent.self, UnitElectricPotentialDifference.self,
        UnitElectricResistance.self, UnitEnergy.self, UnitFrequency.self, UnitFuelEfficiency.self,
        UnitIlluminance.self, UnitInformationStorage.self, UnitLength.self, UnitMass.self, UnitPower.self,
        UnitPressure.self, UnitSpeed.self, UnitTemperature.self, UnitVolume.self,
    ]

    /// By declaration: a type is a value if its generic arguments are.
    ///
    /// Types of other packages are listed by name, because this package links no other: swift-collections (Apple),
    /// identified collections, the observation registrars and TCA's `@ObservableState` (Point-Free). The ids of the
    /// latter are compared, copied on write, and never encoded.
    static let containers: Set<String> = [
        "Swift.Array", "Swift.ContiguousArray", "Swift.ArraySlice", "Swift.Dictionary", "Swift.Set",
        "OrderedCollections.OrderedDictionary", "OrderedCollections.OrderedSet", "DequeModule.Deque",
        "HeapModule.Heap", "HashTreeCollections.TreeDictionary", "HashTreeCollections.TreeSet",
        "BitCollections.BitSet", "BitCollections.BitArray", "_RopeModule.BigString",
        "IdentifiedCollections.IdentifiedArray", "Foundation.Measurement",
        "Observation.ObservationRegistrar", "PerceptionCore.PerceptionRegistrar", "Perception.PerceptionRegistrar",
        "ComposableArchitecture.ObservableStateID", "ComposableArchitecture.ObservableStateRegistrar",
    ]

    /// A type's name with its modules, without its generic arguments.
    static func name(of type: Any.Type) -> String {
        String(_typeName(type).prefix { $0 != "<" })
    }
}
