extension Cache {
  /// Returns the sum of several levels, with one level in each line.
  ///
  /// This is another spelling of `+`. The compiler checks each line separately, so every level
  /// takes about the same time, and a mistake is reported in its own line. This saves seconds in a
  /// sum of more than five levels, or of levels with closures.
  ///
  ///     let articles: Cache<URL, Article> = .levels {
  ///       .memory()
  ///       \.absoluteString <^> .disk("articles") <*> .json()
  ///       (.network() <*> .json())
  ///     }
  ///
  /// In Swift, a line that begins with a dot or a brace continues the line before. So if a level
  /// begins in this way and isn't the first one, put it in parentheses. Levels may be inside an
  /// `if`.
  ///
  /// - Parameter levels: The levels, with the uppermost level first.
  /// - Law: `.levels { a; b; c } == a + b + c`. See `CacheLevelsTests`.
  public static func levels(@CacheLevels<Key, Value> _ levels: () -> Cache) -> Cache { levels() }
}

/// The lines of `.levels { … }`. See ``Cache/levels(_:)``.
@resultBuilder
public enum CacheLevels<Key: Hashable & Sendable, Value: Sendable> {
  /// Checks one line.
  public static func buildExpression(_ level: Cache<Key, Value>) -> Cache<Key, Value> { level }

  /// Begins the sum with its uppermost level.
  public static func buildPartialBlock(first level: Cache<Key, Value>) -> Cache<Key, Value> {
    level
  }

  /// Puts a level below the levels of the lines before.
  public static func buildPartialBlock(
    accumulated upper: Cache<Key, Value>, next lower: Cache<Key, Value>
  ) -> Cache<Key, Value> {
    upper.backed(by: lower)
  }

  /// Omits the levels of an `if` whose condition is false.
  public static func buildOptional(_ levels: Cache<Key, Value>?) -> Cache<Key, Value> {
    levels ?? .empty
  }

  /// Returns the levels of the first branch.
  public static func buildEither(first levels: Cache<Key, Value>) -> Cache<Key, Value> { levels }

  /// Returns the levels of the second branch.
  public static func buildEither(second levels: Cache<Key, Value>) -> Cache<Key, Value> { levels }
}
