/// The reason why a level removed a value.
public enum EvictionCause: String, Hashable, Sendable {
  /// The level was full, and other values were more valuable.
  case capacity
  /// The value reached its deadline.
  case expired
  /// A caller removed the value by its key.
  case removed
  /// A caller stored another value under the same key. Nothing is evicted if the caller stores the
  /// same instance of a class again.
  case replaced
  /// A caller removed all values.
  case cleared
  /// The system was short of memory.
  case memoryWarning
}
