import Foundation

/// The cost of a value, which counts toward the capacity of a memory level.
public struct Cost<Value: Sendable>: Sendable {
  @usableFromInline let measure: @Sendable (Value) -> Int
  let isBytes: Bool

  /// Creates a cost from a closure.
  ///
  ///     let articles: Cache<URL, Article> = .memory(capacity: 10_000, cost: Cost { $0.wordCount })
  ///
  /// - Parameter cost: A closure that returns the cost of a value, in the same unit as the
  ///   capacity. A result below one counts as one. The closure is called once per `set`, on the
  ///   caller's thread.
  public init(_ cost: @escaping @Sendable (Value) -> Int) {
    self.init(measure: cost, isBytes: false)
  }

  init(measure: @escaping @Sendable (Value) -> Int, isBytes: Bool) {
    self.measure = measure
    self.isBytes = isBytes
  }
}

extension Cost where Value == Data {
  /// The number of bytes.
  public static var bytes: Cost { Cost(measure: { $0.count }, isBytes: true) }
}

extension Cost where Value == String {
  /// The number of bytes in the UTF-8 encoding of a value.
  public static var bytes: Cost { Cost(measure: { $0.utf8.count }, isBytes: true) }
}

extension Cost where Value == [UInt8] {
  /// The number of bytes.
  public static var bytes: Cost { Cost(measure: { $0.count }, isBytes: true) }
}

extension Cost {
  /// Unavailable for other types of values, because their size in bytes is unknown.
  @available(
    *, unavailable,
    message: "only Data, String, and [UInt8] have bytes: write Cost { value in … } for other values"
  )
  @_disfavoredOverload
  public static var bytes: Cost { unavailable() }

  /// Returns the cost of a decoded image in bytes, with four bytes for each pixel.
  ///
  ///     let images: Cache<URL, Picture> = .memory(cost: .pixels { ($0.width, $0.height) })
  ///
  /// - Parameter size: A closure that returns the width and height of a value in pixels. The
  ///   closure is called once per `set`, on the caller's thread.
  public static func pixels(
    _ size: @escaping @Sendable (Value) -> (width: Int, height: Int)
  ) -> Cost {
    Cost(
      measure: { value in
        let (width, height) = size(value)
        let (pixels, isHuge) = width.multipliedReportingOverflow(by: height)
        let (bytes, isHuger) = pixels.multipliedReportingOverflow(by: 4)
        return isHuge || isHuger ? .max : bytes
      }, isBytes: true)
  }
}
