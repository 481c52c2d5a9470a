/// The stored values that a level promises to keep.
public enum LevelKeeping: Sendable {
  /// The level keeps every stored value, and each `set` succeeds.
  case everything
  /// While the number of stored keys doesn't exceed this number, every value is kept. And never are
  /// there more values than that. Pass a small number, because some cases fill the level beyond
  /// this number, which is slow for a large number. Above 1,000, the laws don't check that the
  /// level holds at most this number.
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
