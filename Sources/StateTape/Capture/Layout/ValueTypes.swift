import Foundation
import TapeFormat

/// Types that are values although they keep class instances inside: copy on write, or never changed once made.
enum ValueTypes {
    /// By the types themselves; what is inside them is nobody else's.
    static let whole: Set<ObjectIdentifier> = {
        var types: [Any.Type] = [
            String.self, Substring.self, Character.self, String.UnicodeScalarView.self, StaticString.self,
            Data.self, URL.self, URLComponents.self, URLQueryItem.self, Locale.self, TimeZone.self, Calendar.self,
            IndexPath.self, IndexSet.self, CharacterSet.self, PersonNameComponents.self, DateInterval.self,
            AttributedString.self, Morphology.self,
        ]
        types.append(contentsOf: [Decimal.self, Date.self, UUID.self] as [Any.Type])
        // Classes, but never changed.
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

    /// By declaration, as values of what they are generic over.
    ///
    /// Those of other packages go by name, since nothing but this package is linked: swift-collections (apple), identified
    /// collections, the observation registrars and TCA's `@ObservableState` (Point-Free), whose ids are compared, copied
    /// on write, and never encoded.
    static let containers: Set<String> = [
        "Swift.Array", "Swift.ContiguousArray", "Swift.ArraySlice", "Swift.Dictionary", "Swift.Set",
        "OrderedCollections.OrderedDictionary", "OrderedCollections.OrderedSet", "DequeModule.Deque",
        "HeapModule.Heap", "HashTreeCollections.TreeDictionary", "HashTreeCollections.TreeSet",
        "BitCollections.BitSet", "BitCollections.BitArray", "_RopeModule.BigString",
        "IdentifiedCollections.IdentifiedArray", "Foundation.Measurement",
        "Observation.ObservationRegistrar", "PerceptionCore.PerceptionRegistrar", "Perception.PerceptionRegistrar",
        "ComposableArchitecture.ObservableStateID", "ComposableArchitecture.ObservableStateRegistrar",
    ]

    private static let pairs: Set<String> = [
        "OrderedCollections.OrderedDictionary", "HashTreeCollections.TreeDictionary",
    ]
    /// Types that were met; making a name takes long.
    private static let isPairs = Locked<[ObjectIdentifier: Bool]>([:])

    /// Whether a type is encoded as keys and values that take turns, in an order of its own.
    static func isPairs(_ type: Any.Type) -> Bool {
        let id = ObjectIdentifier(type)
        if let known = isPairs.withLock({ $0[id] }) { return known }
        let found = pairs.contains(name(of: type))
        isPairs.withLock { $0[id] = found }
        return found
    }

    /// A type's name with its modules, without what it is generic over.
    static func name(of type: Any.Type) -> String {
        String(_typeName(type).prefix { $0 != "<" })
    }
}
