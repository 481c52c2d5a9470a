/// https://developer.apple.com/documentation/coregraphics/cgimage
///
/// The class is `Sendable` because images are immutable.
public final class CGImage: @unchecked Sendable {
  public let width: Int
  public let height: Int

  /// An initializer that only other stand-ins call.
  public init(standInWidth width: Int, height: Int) { (self.width, self.height) = (width, height) }
}
