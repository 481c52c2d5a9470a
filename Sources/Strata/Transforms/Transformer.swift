/// A function from one type to another that may fail, and may take its time.
///
///     let digits = Transformer<Int, String> { String($0) }
public struct Transformer<Input: Sendable, Output: Sendable>: Sendable {
  /// Transforms one value.
  public let transform: @Sendable (Input) -> Promise<Output>

  /// Makes a transformer of a function that answers with a promise.
  @inlinable
  public init(_ transform: @escaping @Sendable (Input) -> Promise<Output>) {
    self.transform = transform
  }

  /// Makes a transformer of a function that answers at once, or throws.
  @_disfavoredOverload
  @inlinable
  public init(_ transform: @escaping @Sendable (Input) throws -> Output) {
    self.init { input in
      do { return Promise(try transform(input)) } catch { return Promise(error: error) }
    }
  }

  /// Makes a transformer of an async function, each call in a task of its own.
  @_disfavoredOverload
  public init(_ transform: @escaping @Sendable (Input) async throws -> Output) {
    self.init { input in Promise { try await transform(input) } }
  }

  /// Transforms one value.
  public func callAsFunction(_ input: Input) -> Promise<Output> { transform(input) }

  /// Returns the transformation by this and then by `next`; the first failure ends it.
  ///
  /// - Law: `(a >>> b) >>> c == a >>> (b >>> c)`; see `CodecLaws.testThenIsAssociative`.
  public func then<NewOutput>(_ next: Transformer<Output, NewOutput>) -> Transformer<
    Input, NewOutput
  > {
    Transformer<Input, NewOutput> { transform($0).flatMap(next.transform) }
  }

  /// "Then": `first.then(second)`.
  public static func >>> <NewOutput>(
    first: Transformer, second: Transformer<Output, NewOutput>
  ) -> Transformer<Input, NewOutput> {
    first.then(second)
  }
}

extension Transformer where Input == Output {
  /// The transformer that changes nothing.
  public static var identity: Transformer { Transformer { Promise($0) } }
}
