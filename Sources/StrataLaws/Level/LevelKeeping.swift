/// The stored values that a level promises to keep.
public enum LevelKeeping: Sendable {
  /// The level keeps every stored value, and each `set` succeeds.
  case everything
  /// The level keeps every value as long as at most this many keys are stored, and never holds more
  /// than this many values. Pass a small number, because each case stores more values than this
  /// number. Above 1,000, the laws don't check whether the level holds at most this number of
  /// values.
  case upTo(Int)
  /// The level may lose any value at any time.
  case nothing

  /// The number of keys whose values the level must keep.
  var room: Int {
    switch self {
    case .everything: .max
    case .upTo(let count): max(0, count)
    case .nothing: 0
    }
  }
}
