/// The stored values that a level promises to find again.
public enum LevelKeeping: Sendable {
  /// The level finds every stored value again. Each `set` succeeds.
  case everything
  /// The level finds values again as long as it stores at most this number of keys, and never holds
  /// more values. Pass a small number, because each case stores more values than the number. Above
  /// 1,000, the laws don't check the maximum.
  case upTo(Int)
  /// The level may lose any value at any time.
  case nothing

  /// The number of keys whose values the level must find again.
  var room: Int {
    switch self {
    case .everything: .max
    case .upTo(let count): max(0, count)
    case .nothing: 0
    }
  }
}
