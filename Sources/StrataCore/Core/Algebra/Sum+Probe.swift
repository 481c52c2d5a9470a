extension Sum {
  /// Records that a level has answered the get.
  @usableFromInline
  func noteAnswer(of level: Int) {
    if !probes.isEmpty { reporter?.probe?.begin(from: probes[level]) }
  }

  /// Returns a `get` that records the uppermost level as the one that has answered, unless another
  /// level answers.
  func probing(
    _ get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> @Sendable (Key) -> Promise<Value> {
    guard !probes.isEmpty else { return get }
    return { key in
      self.noteAnswer(of: 0)
      return get(key)
    }
  }
}

extension GetProbe {
  /// Returns the members of a sum with a probe for each of them, or `nil` if the change needs none.
  static func probing<Key, Value>(
    _ members: [CacheMetadata<Key, Value>.Member], by change: CacheMetadata<Key, Value>.Change
  ) -> (members: [CacheMetadata<Key, Value>.Member], probes: [GetProbe])? {
    guard case .reporting(let reporter) = change, reporter.probe != nil else { return nil }
    let probes = members.map { _ in GetProbe() }
    let probed = zip(members, probes).map { member, probe in
      member.changed(by: .reporting(reporter.with(probe: probe)))
    }
    return (probed, probes)
  }
}
