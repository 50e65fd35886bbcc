extension JSON {
    /// The members of an object in their order.
    ///
    /// A lookup by key is a linear search, which is the fastest for small objects.
    public struct Object: Sendable, Hashable, RandomAccessCollection {
        /// A key and its value.
        public struct Member: Sendable {
            public var key: String
            public var value: JSON
        }

        var members: [Member] = []
        /// The maximum number of members for a linear search; several lookups in larger objects use an index.
        private static let few = 16

        public init() {}

        /// Makes an object from members in order. For a repeated key the last value takes the first position.
        public init(_ members: some Sequence<(String, JSON)>) {
            var index: [UTF8Text: Int]?
            for (key, value) in members {
                // A linear search for each key would take minutes for a million members.
                if index == nil, count > Object.few {
                    index = Dictionary(
                        self.members.enumerated().map { (UTF8Text($1.key), $0) }, uniquingKeysWith: { $1 })
                }
                switch index.map({ $0[UTF8Text(key)] }) {
                case nil: self[key] = value
                case let position??: self.members[position].value = value
                case .some(nil):
                    index?[UTF8Text(key)] = count
                    self.members.append(Member(key: key, value: value))
                }
            }
        }

        /// Makes an object from members with distinct keys.
        init(distinct members: [Member]) {
            self.members = members
        }

        public var startIndex: Int { 0 }
        public var endIndex: Int { members.count }
        public subscript(position: Int) -> Member { members[position] }

        /// The value for a key. Setting appends or replaces; setting nil removes.
        public subscript(_ key: String) -> JSON? {
            get { position(of: key).map { members[$0].value } }
            set {
                switch (position(of: key), newValue) {
                case (let position?, let value?): members[position].value = value
                case (let position?, nil): members.remove(at: position)
                case (nil, let value?): members.append(Member(key: key, value: value))
                case (nil, nil): break
                }
            }
        }

        func position(of key: String) -> Int? {
            members.firstIndex { $0.key.hasSameUTF8(as: key) }
        }

        public static func == (left: Object, right: Object) -> Bool {
            left.isSame(as: right, by: ==)
        }

        /// Whether both have the same keys in any order, and equal values according to `areSame`.
        func isSame(as other: Object, by areSame: (JSON, JSON) -> Bool) -> Bool {
            guard count == other.count else { return false }
            let find = other.finder()
            return members.enumerated().allSatisfy { index, member in
                // Usually both have the same order.
                let beside = other.members[index]
                if beside.key.hasSameUTF8(as: member.key) { return areSame(member.value, beside.value) }
                return find(member.key).map { areSame(member.value, other.members[$0].value) } ?? false
            }
        }

        public func hash(into hasher: inout Hasher) {
            // The sum of the members' hashes doesn't depend on their order.
            hasher.combine(
                members.reduce(into: 0) { sum, member in
                    var single = Hasher()
                    single.combine(UTF8Text(member.key))
                    single.combine(member.value)
                    sum &+= single.finalize()
                }
            )
        }

        /// A function that finds keys; for a large object it uses an index.
        package func finder() -> (String) -> Int? {
            guard count > Object.few else { return position(of:) }
            var index: [UTF8Text: Int]?
            return { key in
                let built =
                    index ?? Dictionary(members.enumerated().map { (UTF8Text($1.key), $0) }, uniquingKeysWith: { $1 })
                index = built
                return built[UTF8Text(key)]
            }
        }
    }
}
