/// The source of the value of one get. See ``Cache/valueWithProvenance(for:)``.
///
///     let (page, source) = try await pages.valueWithProvenance(for: url)
///     print(source)  // disk, 12.0 s old, stale
public struct Provenance: Hashable, Sendable {
  /// The name of the level that had the value, or its plan if it has no name. A name that was given
  /// to a level together with its maps and verbs counts as the name of the level.
  ///
  /// It's `nil` if a verb such as `recovering` made the value, or if the get joined a load of a get
  /// without provenance.
  public let level: String?

  /// The time since the value was created. For a value that an origin has just loaded, it's zero. It's
  /// `nil` if the value comes from storage and has no stamp.
  public let age: Duration?

  /// Whether the value's freshness had ended. Only refreshed caches return stale values.
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
  /// Returns the value of `key`, and where it came from.
  ///
  /// A service can send the age of a value to its own clients, and a script can count its answers by
  /// level:
  ///
  ///     let (page, source) = try await pages.valueWithProvenance(for: url)
  ///     print(page, source.level ?? "unknown", source.age ?? .zero)
  ///
  /// The get behaves like ``value(for:)``. Its report concerns this get alone, however many others
  /// run at the same time, and gets without provenance don't become slower. But this one makes a
  /// copy of the pipeline that shares all levels and loads. That takes about 15 microseconds, by
  /// the row "with provenance" of `strata-tool bench`.
  ///
  /// - Throws: The same errors as ``value(for:)``.
  /// - Complexity: O(n) in the number of levels and verbs.
  /// - Law: The value is that of ``value(for:)``, and the level is the one whose answer was returned.
  ///   See `provenance.value` and `provenance.level`, checked by `ProvenanceLaws`.
  public nonisolated(nonsending) func valueWithProvenance(
    for key: Key
  ) async throws -> (value: Value, provenance: Provenance) {
    try await getWithProvenance(key).value
  }

  /// Returns a promise of the value of `key`, and where it came from.
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
