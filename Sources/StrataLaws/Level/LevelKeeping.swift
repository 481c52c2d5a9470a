/// The stored values that a level promises to keep.
public enum LevelKeeping: Sendable {
  /// The level keeps every stored value, and each `set` succeeds.
  case everything
  /// The level keeps every value while the number of stored keys doesn't exceed this number. The
  /// level never holds more values than this number. Pass a small number, because some cases fill
  /// the level beyond this number, which is slow for a large number. If the number is above 1,000,
  /// the laws don't check that the level holds at most this number of values.
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
