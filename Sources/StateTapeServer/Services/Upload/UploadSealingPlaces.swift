import TapeFormat

/// How many uploads may be sealed as they arrive: each holds its states.
final class UploadSealingPlaces: Sendable {
    private static let most = 2
    private let taken = Locked(0)

    /// A place, until it is released.
    final class Place: Sendable {
        private let places: UploadSealingPlaces

        fileprivate init(_ places: UploadSealingPlaces) {
            self.places = places
        }

        deinit {
            places.taken.withLock { $0 -= 1 }
        }
    }

    /// Nil if there is none.
    func take() -> Place? {
        let isFree = taken.withLock { taken in
            guard taken < Self.most else { return false }
            taken += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
