/// https://developer.apple.com/documentation/coregraphics/cgimage
///
/// The class is `Sendable` because images are immutable.
public final class CGImage: @unchecked Sendable {
  public let width: Int
  public let height: Int

  /// An initializer for tests and for the replacements of other Apple frameworks, such as ImageIO.
  /// Apple's `CGImage` doesn't declare this initializer.
  public init(standInWidth width: Int, height: Int) { (self.width, self.height) = (width, height) }
}
