/// The guarantees on which a sum may rely when a cache is one of its levels.
package struct Conduct: Sendable {
  /// Whether operations take effect in the order in which they were called. Otherwise, the sum adds
  /// a queue. See `KeyedQueue`.
  package var keepsOrder: Bool
  /// Whether this cache itself hides the key of a failed write. This is `true` for a sum, and for a
  /// verb that is above a sum and passes on each write or removes the write's key. It's `false` for
  /// the sum that a verb creates of one ordinary level.
  package var isSum = false
  /// Whether each write reaches the levels before its function returns.
  package var isPrompt = true
  /// Whether the verbs add no time, so that a get takes only as long as the gets of its levels.
  package var addsNoTime = true
  /// For a sum, the time that the bounds of its levels allow for one operation. For a level, this
  /// time is zero.
  package var boundOfLevels = Duration.zero

  static let unordered = Conduct(keepsOrder: false)
  static let ordered = Conduct(keepsOrder: true)

  /// Returns the conduct of a cache above this one that needs time before it passes on a write.
  /// Such a cache has a queue, an async codec, or a user's verb.
  ///
  /// - Parameter keepsOrder: Whether that cache keeps the order of its calls. By default, it does
  ///   if this cache does.
  package func delayed(keepsOrder: Bool? = nil) -> Conduct {
    Conduct(
      keepsOrder: keepsOrder ?? self.keepsOrder, isPrompt: false, boundOfLevels: boundOfLevels)
  }

  /// The conduct of a verb that is above this cache and may add time to gets.
  package var slower: Conduct {
    var conduct = self
    conduct.addsNoTime = false
    return conduct
  }

  /// The conduct of a cache whose operations call this cache or another one.
  package func joined(_ other: Conduct) -> Conduct {
    Conduct(
      keepsOrder: keepsOrder && other.keepsOrder, isSum: isSum && other.isSum,
      isPrompt: isPrompt && other.isPrompt, addsNoTime: addsNoTime && other.addsNoTime,
      boundOfLevels: max(boundOfLevels, other.boundOfLevels))
  }

  /// The conduct of a verb above this cache that may fail a write without calling this cache.
  package var refusing: Conduct { Conduct(keepsOrder: keepsOrder, boundOfLevels: boundOfLevels) }
}
