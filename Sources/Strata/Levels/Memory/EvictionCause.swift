/// Why a value left a memory level.
public enum EvictionCause: String, Hashable, Sendable {
  /// Others were worth more, and there was no room for all.
  case capacity
  /// Its time was over.
  case expired
  /// It was removed by its key.
  case removed
  /// Another value was stored under its key.
  case replaced
  /// All values were removed.
  case cleared
  /// Memory is short.
  case memoryWarning
}
