extension JSON {
    /// The members of an object in their order.
    ///
    /// Finding one by key reads the members one after the other, which is the fastest for the few that most objects have.
    public struct Object: Sendable, Hashable, RandomAccessCollection {
        /// A key and its value.
        public struct Member: Sendable {
            public var key: String
            public var value: JSON
        }

        var members: [Member] = []
        /// So many members are read one after the other; of more, an index is made where many are looked for.
        private static let few = 16

        public init() {}

        /// Takes members in order; of two with the same key the later value stands in the earlier place.
        public init(_ members: some Sequence<(String, JSON)>) {
            var index: [UTF8Text: Int]?
            for (key, value) in members {
                // Reading all members for each key would take minutes for an object with a million.
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

        /// Takes members whose keys are known to differ.
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

        /// Whether both have the same keys, whatever their order, and the same values by `areSame`.
        func isSame(as other: Object, by areSame: (JSON, JSON) -> Bool) -> Bool {
            guard count == other.count else { return false }
            let find = other.finder()
            return members.enumerated().allSatisfy { index, member in
                // Most of the time both have the same order.
                let beside = other.members[index]
                if beside.key.hasSameUTF8(as: member.key) { return areSame(member.value, beside.value) }
                return find(member.key).map { areSame(member.value, other.members[$0].value) } ?? false
            }
        }

        public func hash(into hasher: inout Hasher) {
            // Independent of the order: the sum of what each member hashes to.
            hasher.combine(
                members.reduce(into: 0) { sum, member in
                    var single = Hasher()
                    single.combine(UTF8Text(member.key))
                    single.combine(member.value)
                    sum &+= single.finalize()
                }
            )
        }

        /// A way to find many keys: through an index where reading all members each time would cost more.
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
