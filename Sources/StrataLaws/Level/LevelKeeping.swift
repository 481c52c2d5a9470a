/// The stored values that a level promises to keep.
public enum LevelKeeping: Sendable {
  /// The level keeps every stored value, and each `set` succeeds.
  case everything
  /// The level keeps every value as long as there are at most this many keys, and it never has more
  /// values. Pass a small number, because some cases store more values than that, which would be
  /// slow for a large number. When it's above 1,000, the laws don't check that the level has at
  /// most this many values.
  case upTo(Int)
  /// The level may lose any value at any time.
  case nothing

  /// The maximum number of keys whose values the level must keep.
  var room: Int {
    switch self {
    case .everything: .max
    case .upTo(let count): max(0, count)
    case .nothing: 0
    }
  }
}
