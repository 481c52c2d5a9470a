import Foundation

/// What a value counts for against the capacity of a memory level.
public struct Cost<Value: Sendable>: Sendable {
  /// Returns the cost of one value, in whatever unit the capacity has; less than one counts as one.
  public let of: @Sendable (Value) -> Int
  let isBytes: Bool

  /// Makes a cost of a function.
  ///
  /// - Parameter cost: Called once for each value that is set, on the caller's thread.
  public init(_ cost: @escaping @Sendable (Value) -> Int) {
    self.init(of: cost, isBytes: false)
  }

  private init(of cost: @escaping @Sendable (Value) -> Int, isBytes: Bool) {
    of = cost
    self.isBytes = isBytes
  }
}

extension Cost where Value == Data {
  /// The number of bytes.
  public static var bytes: Cost { Cost(of: { $0.count }, isBytes: true) }
}

extension Cost where Value == String {
  /// The number of bytes in UTF-8.
  public static var bytes: Cost { Cost(of: { $0.utf8.count }, isBytes: true) }
}

extension Cost where Value == [UInt8] {
  /// The number of bytes.
  public static var bytes: Cost { Cost(of: { $0.count }, isBytes: true) }
}
