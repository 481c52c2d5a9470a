extension WriteQueue {
  /// An operation that removes a key, or all keys, because the level's values may be outdated. See
  /// `UnknownValues`.
  @usableFromInline
  struct Removal: Sendable {
    let id: Int
    let isOfAll: Bool
  }

  /// The closures to run after a write has settled, or after the level has received a write.
  @usableFromInline
  struct Next {
    var gets: [Work] = []
    var writes: [Work] = []
    /// The removal that the caller must run before it calls `begin`, or `nil`.
    @usableFromInline var removal: Removal?

    /// Runs the waiting gets first, because callers called them before the waiting writes.
    @usableFromInline
    func begin() {
      for get in gets { get() }
      for write in writes { Trampoline.run(write) }
    }
  }
}
