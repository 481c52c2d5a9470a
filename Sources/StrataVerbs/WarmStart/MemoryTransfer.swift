import Foundation

/// The error of a save whose values the cache hasn't kept, although no write failed. An earlier save
/// stays as it was.
public struct IncompleteSave: LocalizedError, Equatable, CustomStringConvertible {
  /// The number of pages of the save, each of which has about 64 KiB.
  public let pages: Int
  /// The number of pages that the cache has lost.
  public let lost: Int

  /// The error and its remedy.
  public var description: String {
    """
    the cache has lost \(lost) of the \(pages) pages of a save, so the values weren't saved. Give \
    the cache more room, or save fewer bytes.
    """
  }

  /// The description, for user interfaces.
  public var errorDescription: String? { description }
}

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
