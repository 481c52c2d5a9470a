import Foundation

/// A type with sample keys or values for the laws of a level. Conform your own key and value types
/// to this protocol.
///
///     extension UserID: LawSample {
///       static func sample(_ number: Int) -> UserID { UserID(number) }
///     }
public protocol LawSample: Equatable, Sendable {
  /// The number of different samples. The default is unlimited.
  ///
  /// Declare it for a type with few values, such as a byte. Enumerations that are `CaseIterable`
  /// need neither this property nor `sample(_:)`.
  static var sampleCount: Int { get }

  /// Returns a sample. Different numbers must produce different samples.
  ///
  /// - Parameter number: A number from zero up to, but not including, `sampleCount`. Laws pass
  ///   numbers up to about a million.
  static func sample(_ number: Int) -> Self

  /// Keys that a level might confuse with each other. The keys of one list must be equal, even if
  /// they are spelled differently. Keys of different lists must not be equal. Put two keys that a
  /// level might confuse into adjacent lists, because the laws often use keys of adjacent lists in
  /// one program. If a key has several parts, let adjacent lists differ in only one part, and vary
  /// each of the parts.
  static var spellings: [[Self]] { get }

  /// Values that a level might lose or confuse, such as empty and large values. All values must
  /// differ from each other.
  static var extremes: [Self] { get }

  /// Changes this value in place, and returns whether it did.
  ///
  /// The default implementation returns `false`, which is right for all types of values. Implement
  /// it for a class only if your level must store copies of its objects. Then the law
  /// `level.references` changes objects that the level has received or returned, and expects that
  /// the level still has the old ones. The function `sample(_:)` must return a new object each time.
  func changeInPlace() -> Bool
}

extension LawSample {
  /// The default implementation: no limit.
  public static var sampleCount: Int { .max }

  /// The default implementation: does nothing, and returns `false`.
  public func changeInPlace() -> Bool { false }

  /// The default implementation, which puts each of the first twelve samples into a separate list.
  public static var spellings: [[Self]] { samples(12).map { [$0] } }

  /// The default implementation: the first three samples.
  public static var extremes: [Self] { samples(3) }

  /// The keys of programs, each in all its spellings.
  static func lawKeys(isPlain: Bool) -> [[Self]] {
    let spelt = isPlain ? [] : spellings.filter { !$0.isEmpty }
    return spelt.isEmpty ? samples(12).map { [$0] } : spelt
  }

  /// The first samples, at least one.
  static func samples(_ count: Int) -> [Self] { (0..<max(1, min(count, usable))).map(sample) }

  /// The number of samples that laws use, at least one.
  static var usable: Int { max(1, sampleCount) }

  /// Returns the sample for a number, which may be greater than the number of samples.
  static func sample(cycling number: Int) -> Self { sample(number % usable) }
}

extension LawSample where Self: CaseIterable {
  /// The number of cases.
  public static var sampleCount: Int { allCases.count }

  /// The case at a position.
  public static func sample(_ number: Int) -> Self {
    allCases[allCases.index(allCases.startIndex, offsetBy: number % allCases.count)]
  }
}
