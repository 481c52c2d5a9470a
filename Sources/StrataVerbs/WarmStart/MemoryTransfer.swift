/// The result of `MemoryStorage.save(into:keys:values:)`, or of a load.
public struct MemoryTransfer: Equatable, Sendable {
  /// The number of values.
  public var values = 0
  /// The size of the keys and values in bytes, with their stamps.
  public var bytes = 0
  /// The number of values that a codec couldn't convert or that were too large. In a load, obsolete
  /// values count as well.
  public var skipped = 0
  /// Whether every value was transferred or skipped, because there was enough time and room.
  public var isComplete = true
}
