/// A function from one type to another that may fail, and may take its time.
///
/// A ``Codec`` goes both ways; where only reading is asked for, this is enough.
///
///     let number = Transformer<String, Int> { Int($0) ?? 0 }
///     let digits = Transformer<Data, String> { String(decoding: $0, as: UTF8.self) }
///     try await (digits >>> number)(Data("42".utf8)).value  // 42
///
/// It is called on the thread that has the value, from several threads at a time.
public struct Transformer<Input: Sendable, Output: Sendable>: Sendable {
  /// Transforms one value.
  public let transform: @Sendable (Input) -> Promise<Output>

  /// Makes a transformer of a function that answers with a promise.
  public init(_ transform: @escaping @Sendable (Input) -> Promise<Output>) {
    self.transform = transform
  }

  /// Makes a transformer of a function that answers at once; what it throws is the failure.
  @_disfavoredOverload
  public init(_ transform: @escaping @Sendable (Input) throws -> Output) {
    self.init { input in Promise(catching: { try transform(input) }) }
  }

  /// Makes a transformer of an async function, each call in a task of its own.
  ///
  /// Cancelling the promise cancels the task.
  @_disfavoredOverload
  public init(_ transform: @escaping @Sendable (Input) async throws -> Output) {
    self.init { input in Promise { try await transform(input) } }
  }

  /// Transforms one value: `transformer(input)` is `transformer.transform(input)`.
  public func callAsFunction(_ input: Input) -> Promise<Output> { transform(input) }

  /// Returns the transformation by this and then by `next`; the first failure ends it.
  ///
  /// - Complexity: O(1) to build; one call of each for a value.
  /// - Law: `(a >>> b) >>> c == a >>> (b >>> c)` and `a >>> .identity == a == .identity >>> a`; see
  ///   `CodecLaws`.
  public func then<NewOutput>(
    _ next: Transformer<Output, NewOutput>
  ) -> Transformer<Input, NewOutput> {
    Transformer<Input, NewOutput> { transform($0).flatMap(next.transform) }
  }

  /// "Then": `first.then(second)`.
  ///
  /// - Law: as ``then(_:)``.
  public static func >>> <NewOutput>(
    first: Transformer, second: Transformer<Output, NewOutput>
  ) -> Transformer<Input, NewOutput> {
    first.then(second)
  }
}

extension Transformer where Input == Output {
  /// The transformer that changes nothing: the identity of `>>>`.
  public static var identity: Transformer { Transformer { Promise($0) } }
}
