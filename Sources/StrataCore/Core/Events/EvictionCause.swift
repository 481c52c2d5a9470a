/// The reason why a level removed a value.
public enum EvictionCause: String, Hashable, Sendable {
  /// The level was full, and other values were more valuable.
  case capacity
  /// The value reached its deadline.
  case expired
  /// A caller removed the value by its key.
  case removed
  /// A caller stored another value under the same key. For the same instance of a class, nothing is
  /// evicted, because the instance stays.
  case replaced
  /// A caller removed all values.
  case cleared
  /// Memory is short.
  case memoryWarning
}
