/// A way to remove all values that belong to a user, a page, or a tenant, for example.
///
/// ``Cache/tagged(by:_:)`` gives the values of a cache their tags. Several caches can share one
/// `Tags`, so one call removes a user from all of them.
///
///     let tags = Tags()
///     let users: Cache<Int, Stamped<String>> = .memory().tagged(by: tags) { id, _ in ["user:\(id)"] }
///     try await tags.remove("user:7")  // Gone.
///     try await tags.expire("user:8")  // Stale, and still a fallback.
///
/// A removal marks its tags, and changes no value. Gets treat a value as absent if one of its tags
/// was marked after the value was stored, or while it was loaded. Such a get also removes the value
/// from the level.
///
/// By default, the marks are in memory. This is enough for levels that end with the process. But a
/// disk level lives longer, and several processes can use Redis. For such a level, store the marks
/// in a cache that lives at least as long. See ``init(in:clockDifference:clock:)``.
///
/// - Law: `remove([])` has no effect, and `remove(S)` and then `remove(T)` is `remove(S ∪ T)`. See
///   `tags.union`, `tags.expiry`, and the other laws of `Laws.tags`, checked by `TagLaws`.
public struct Tags: Sendable {
  /// Marks tags. This is the synchronous face of `remove` and `expire`: it begins its work, and
  /// immediately returns a promise. Marks in memory are effective as soon as the function has
  /// returned.
  public let mark: @Sendable (Set<String>, Action) -> Promise<Void>

  let marks: any TagMarks
  let newest: NewestMark
  let clock: TimeSource

  /// Creates tags whose marks are in memory.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of marks. Beyond it, the oldest marks are merged into one,
  ///     which applies to every older value, whatever its tags are. The default is 10,000.
  ///   - clock: The clock of the tagged caches. The default is the system's clock.
  public init(atMost capacity: Int = 10_000, clock: TimeSource = .system) {
    let marks = LocalMarks(atMost: capacity, clock: clock)
    self.init(marks, marks.newest, clock)
  }

  /// Creates tags whose marks are in a cache. So several processes can share the marks, or the
  /// marks can outlive the process.
  ///
  ///     let tags = Tags(in: remote <*> .json())
  ///
  /// Each get of a stored value reads marks. So if the cache is remote, put a memory level above
  /// it, and keep this level up to date, for example with `following`. When the marks can't be
  /// read, a get of a stored value fails. When the cache loses marks, removed values come back.
  ///
  /// - Parameters:
  ///   - cache: The cache of the marks.
  ///   - clockDifference: The maximum difference between the clocks of two processes, up to 30
  ///     seconds. A value that is stored after a removal of its tags may get a creation time that
  ///     is later by this duration. The default is five seconds.
  ///   - clock: The clock of the tagged caches. The default is the system's clock.
  public init(
    in cache: Cache<String, TagMark>, clockDifference: Duration = .seconds(5),
    clock: TimeSource = .system
  ) {
    let margin = min(clockDifference, .seconds(30))
    self.init(
      SharedMarks(in: cache, margin: margin, clock: clock), NewestMark(.last), clock)
  }

  private init(_ marks: any TagMarks, _ newest: NewestMark, _ clock: TimeSource) {
    (self.marks, self.newest, self.clock) = (marks, newest, clock)
    mark = { marks.mark($0, $1) }
  }

  /// Removes every value that has one of these tags.
  ///
  /// After the method has returned, no get returns a value that was stored before the call, or
  /// whose load began before the call. But a value of a later `set` is visible.
  ///
  /// - Parameter tags: The tags, in any order. Without a tag, the call has no effect.
  public func remove(_ tags: String...) async throws { try await remove(tags) }

  /// Removes every value that has one of these tags.
  public func remove(_ tags: some Sequence<String> & Sendable) async throws {
    try await mark(Set(tags), .remove).value
  }

  /// Makes every value stale that has one of these tags.
  ///
  /// When a get finds such a value, `refreshing` loads it again. When the load fails or is slow,
  /// the get returns the stale value, as long as the ``Freshness`` allows. The stale windows begin
  /// with this call, unless the value is already stale.
  ///
  /// - Parameter tags: The tags, in any order. Without a tag, the call has no effect.
  public func expire(_ tags: String...) async throws { try await expire(tags) }

  /// Makes every value stale that has one of these tags.
  public func expire(_ tags: some Sequence<String> & Sendable) async throws {
    try await mark(Set(tags), .expire).value
  }
}

extension Tags {
  /// The effect on the values of a tag.
  public enum Action: Hashable, Sendable {
    /// The values become absent.
    case remove
    /// The values become stale. `refreshing` loads them again, and returns the stale values as long
    /// as its stale windows last. `expiring` treats them as absent.
    case expire
  }
}
