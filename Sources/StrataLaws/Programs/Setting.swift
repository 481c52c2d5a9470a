import Strata

/// What a cache under a law is built of: scripted levels, and a clock that stands still.
///
///     let build: Build = { setting in setting[0] + setting[1].pooled() }
public struct Setting: Sendable {
  /// The scripted levels.
  public let levels: [Cache<Int, Int>]
  /// The time of the program; its `advance` steps move it.
  public let time: TimeSource

  /// A level by its number.
  public subscript(number: Int) -> Cache<Int, Int> { levels[number] }
}

/// Makes the cache that a law is about.
public typealias Build = @Sendable (Setting) -> Cache<Int, Int>
