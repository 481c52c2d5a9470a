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

  init(of cost: @escaping @Sendable (Value) -> Int, isBytes: Bool) {
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

extension Cost {
  /// The bytes of a decoded image: four for each pixel.
  ///
  ///     let images: Cache<URL, Picture> = .memory(cost: .pixels { ($0.width, $0.height) })
  public static func pixels(
    _ size: @escaping @Sendable (Value) -> (width: Int, height: Int)
  ) -> Cost {
    Cost(
      of: { value in
        let (width, height) = size(value)
        let (pixels, isHuge) = width.multipliedReportingOverflow(by: height)
        let (bytes, isHuger) = pixels.multipliedReportingOverflow(by: 4)
        return isHuge || isHuger ? .max : bytes
      }, isBytes: true)
  }
}

#if canImport(UIKit)
  import UIKit

  extension Cost where Value == UIImage {
    /// The bytes of the decoded image: four for each pixel.
    public static var pixels: Cost {
      .pixels { (Int($0.size.width * $0.scale), Int($0.size.height * $0.scale)) }
    }
  }
#endif
