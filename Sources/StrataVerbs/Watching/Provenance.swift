/// The source of the value of one get. See ``Cache/valueWithProvenance(for:)``.
///
///     let (page, source) = try await pages.valueWithProvenance(for: url)
///     print(source)  // disk, 12.0 s old, stale
public struct Provenance: Hashable, Sendable {
  /// The name of the level that had the value, or the level's plan if it has no name. If you name a
  /// level together with its maps and verbs, this name counts as the name of the level.
  ///
  /// It's `nil` if a verb such as `recovering` computed the value, or if the get joined the load of
  /// a get without provenance.
  public let level: String?

  /// The time since the value was created. It's zero for a value that an origin has just returned,
  /// and `nil` for a stored value without a stamp.
  public let age: Duration?

  /// Whether the value's freshness had ended. Refreshed caches and HTTP levels
  /// return stale values, and other caches never do.
  public let isStale: Bool

  /// Whether the get shared the load of another get in a pool.
  public let isJoined: Bool

  /// Whether the value was loaded from an origin, by this get or by the get whose load it joined.
  public let isLoaded: Bool

  /// Creates a provenance, for a test.
  ///
  /// - Parameters:
  ///   - level: The name of the level.
  ///   - age: The time since the value was created.
  ///   - isStale: Whether the value is stale.
  ///   - isJoined: Whether the get shared a load.
  ///   - isLoaded: Whether the value was loaded.
  public init(level: String?, age: Duration?, isStale: Bool, isJoined: Bool, isLoaded: Bool) {
    (self.level, self.age, self.isStale) = (level, age, isStale)
    (self.isJoined, self.isLoaded) = (isJoined, isLoaded)
  }
}

extension Provenance: CustomStringConvertible {
  /// The parts in words, such as `disk, 12.0 s old, stale`.
  public var description: String {
    let parts = [
      level ?? "unknown level", isLoaded ? nil : age.map { "\($0.formattedShort) old" },
      isStale ? "stale" : nil, isLoaded ? "loaded" : nil, isJoined ? "joined" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Cache {
  /// Returns the value of `key` and its source.
  ///
  /// For example, a service can send the age of a value to its own clients, and a script can count
  /// its answers by level:
  ///
  ///     let (page, source) = try await pages.valueWithProvenance(for: url)
  ///     print(page, source.level ?? "unknown", source.age ?? .zero)
  ///
  /// The get behaves like ``value(for:)``. Its provenance describes only this get, however many
  /// others run at the same time, and gets without provenance don't become slower. But a get with
  /// provenance makes a copy of the pipeline, which shares all levels and loads. This takes about
  /// 15 microseconds, as the row "with provenance" of `strata-tool bench` shows.
  ///
  /// - Throws: The same errors as ``value(for:)``.
  /// - Complexity: O(n) in the number of levels and verbs.
  /// - Law: The value is the same as from ``value(for:)``, and the level is the one that returned
  ///   it. See `provenance.value` and `provenance.level`, checked by `ProvenanceLaws`.
  public nonisolated(nonsending) func valueWithProvenance(
    for key: Key
  ) async throws -> (value: Value, provenance: Provenance) {
    try await getWithProvenance(key).value
  }

  /// Returns a promise of the value of `key` and its source.
  ///
  ///     pages.getWithProvenance(url).onSuccess { print($0.provenance) }
  ///
  /// - Complexity: O(n) in the number of levels and verbs.
  /// - Law: The same as for ``valueWithProvenance(for:)``.
  public func getWithProvenance(
    _ key: Key
  ) -> Promise<(value: Value, provenance: Provenance)> {
    let ((answer, probe), clock) = (probed(key), clock)
    return answer.map { ($0, Provenance(probe.answer, at: clock.now())) }
  }
}

extension Provenance {
  fileprivate init(_ answer: GetProbe.Answer, at now: TimeSource.Instant) {
    let age = answer.storedAt.map { max(.zero, $0.duration(to: now)) }
    self.init(
      level: answer.level, age: age ?? (answer.isOrigin ? .zero : nil), isStale: answer.isStale,
      isJoined: answer.isJoined, isLoaded: answer.isOrigin)
  }
}
