import StrataVerbs

/// The scripted levels and the manual clock from which a law builds a cache.
///
///     let build: LawBuild = { context in context[0] + context[1].pooled() }
public struct LawContext: Sendable {
  /// The scripted levels.
  public let levels: [Cache<Int, Int>]
  /// The clock of the program. Only `advance` steps move it.
  public let time: TimeSource

  /// The level at a zero-based index.
  public subscript(index: Int) -> Cache<Int, Int> { levels[index] }
}

/// A function that builds the cache that a law checks. It's called once per program.
public typealias LawBuild = @Sendable (LawContext) -> Cache<Int, Int>
