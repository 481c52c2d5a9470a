extension CachePlan {
  /// The plan of the empty cache. Sums omit it from their plans.
  static let empty = CachePlan(
    .level(.constant), "empty", types: nil, traits: .init(isEmpty: true))

  /// Returns the plan of a level.
  ///
  ///     let shelf = CachePlan.level("shelf", .storage, [nil: .bytes(1_000_000)])  // shelf(1 MB)
  ///
  /// - Parameters:
  ///   - kind: The kind of the level. In the text of the plan, its name comes first.
  ///   - role: The role of the level: whether it stores values, and whether a get is as fast as a
  ///     lookup in memory.
  ///   - arguments: The arguments that the text of the plan shows. A ``Value/count(_:)`` or
  ///     ``Value/bytes(_:)`` without a label is the capacity of the level. If another system, such
  ///     as a server, limits the level's size, a ``Value/name(_:)`` without a label is the name of
  ///     this system.
  ///   - types: The key type and the value type of the cache, if known.
  @inline(never)
  package static func level(
    _ kind: Kind, _ role: Role, _ arguments: Arguments = [:], types: Types? = nil
  ) -> CachePlan {
    CachePlan(.level(role), kind, arguments, types: types)
  }

  /// Returns the plan of a sum of caches in lookup order.
  ///
  /// This function flattens nested sums and removes empty caches. When there is only one member,
  /// returns the plan of this member.
  ///
  /// - Complexity: O(n) in the number of members.
  /// - Law: The plan of a sum doesn't depend on parentheses or on empty members. See
  ///   `plans.associativity`, `plans.identity`, and `PlanLaws`.
  package static func sum(_ members: [CachePlan]) -> CachePlan {
    let members = members.flatMap { $0.form == .sum ? $0.children : [$0] }
    let shown = members.filter { !$0.isEmpty }
    guard shown.count > 1 else { return shown.first ?? members.first ?? .empty }
    return CachePlan(.sum, "sum", over: shown, types: shown[0].types)
  }

  /// Returns the plan of a cache that selects one of several caches for each key.
  ///
  /// - Parameters:
  ///   - kind: The kind of the plan, such as `switching`.
  ///   - branches: The plans of the caches.
  package static func branches(_ kind: Kind, _ branches: [CachePlan]) -> CachePlan {
    CachePlan(.branches, kind, over: branches, types: branches.first?.types)
  }

  /// Returns the plan of a cache with mapped keys.
  ///
  /// - Parameters:
  ///   - plan: The plan of the mapped cache.
  ///   - label: The name of the function. The default is `keys`.
  ///   - types: The key type and the value type of the resulting cache, if known.
  package static func mappedKeys(
    _ plan: CachePlan, label: String = "keys", types: Types? = nil
  ) -> CachePlan {
    CachePlan(.mappedKeys, Kind(label), over: [plan], types: types)
  }

  /// Returns the plan of a cache with mapped values.
  ///
  /// - Parameters:
  ///   - plan: The plan of the mapped cache.
  ///   - label: The name of the codec or the function. The default is `values`.
  ///   - decodes: Whether the codec or the function converts values, which can fail. The default is
  ///     `true`.
  ///   - types: The key type and the value type of the resulting cache, if known.
  package static func mappedValues(
    _ plan: CachePlan, label: String = "values", decodes: Bool = true, types: Types? = nil
  ) -> CachePlan {
    CachePlan(.mappedValues(decodes: decodes), Kind(label), over: [plan], types: types)
  }

  /// Returns the plan of a cache with a verb applied to it.
  ///
  ///     let checked = CachePlan.verb(disk.plan, "checked", ["limit": .count(3)])
  ///     print(checked)  // disk(100 MB).checked(limit: 3)
  ///
  /// - Parameters:
  ///   - plan: The plan of the cache below the verb.
  ///   - kind: The kind of the verb. In the text of the plan, the verb is a method call, and its
  ///     kind is the name of the method.
  ///   - arguments: The arguments that the text of the plan shows. By default, there are none.
  ///   - types: The key type and the value type of the resulting cache, if known.
  @inline(never)
  package static func verb(
    _ plan: CachePlan, _ kind: Kind, _ arguments: Arguments = [:], types: Types? = nil
  ) -> CachePlan {
    CachePlan(.verb, kind, arguments, over: [plan], types: types)
  }

  /// Returns the plan of a cache with a name.
  package static func named(_ plan: CachePlan, _ name: String) -> CachePlan {
    CachePlan(
      .verb, .named, [nil: .text(name)], over: [plan], types: nil, traits: .init(name: name))
  }

  /// Returns this plan as the plan of an origin.
  package func asOrigin() -> CachePlan {
    var traits = node.traits
    traits.isOrigin = true
    return CachePlan(form, kind, arguments, over: children, types: types, traits: traits)
  }

  /// Returns the plan of a level that works off the main thread.
  package func leavingMainThread() -> CachePlan {
    var traits = node.traits
    traits.leavesMainThread = true
    return CachePlan(form, kind, arguments, over: children, types: types, traits: traits)
  }

  /// Returns this plan with `types` at its root. If the root already has types, is a sum, or has
  /// branches, the plan stays unchanged.
  func typed(_ types: Types) -> CachePlan {
    if self.types != nil || form == .sum || form == .branches { return self }
    return CachePlan(
      form, kind, arguments, over: children, types: types, traits: node.traits)
  }

  private var isEmpty: Bool { node.traits.isEmpty }
}
