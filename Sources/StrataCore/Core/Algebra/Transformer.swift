/// A function that converts values to another type, and that may fail or be asynchronous.
///
/// A transformer is enough if values are only read. To read and write values, use a ``Codec``,
/// which converts in both directions.
///
///     let number = Transformer<String, Int> { Int($0) ?? 0 }
///     let digits = Transformer<Data, String> { String(decoding: $0, as: UTF8.self) }
///     try await (digits >>> number)(Data("42".utf8)).value  // 42
///
/// A transformer runs on the thread that provides the value, and several threads may call it at the
/// same time.
public struct Transformer<Input: Sendable, Output: Sendable>: Sendable {
  /// Transforms one value.
  public let transform: @Sendable (Input) -> Promise<Output>

  /// Whether this transformer is known to return values unchanged.
  @usableFromInline package var isIdentity = false

  /// Creates a transformer from a function that returns a promise.
  @inlinable
  public init(_ transform: @escaping @Sendable (Input) -> Promise<Output>) {
    self.transform = transform
  }

  /// Creates a transformer from a synchronous function. When the function throws, the
  /// transformation fails with that error.
  @_disfavoredOverload
  @inlinable
  public init(_ transform: @escaping @Sendable (Input) throws -> Output) {
    self.init { input in Promise(catching: { try transform(input) }) }
  }

  /// Creates a transformer from an async function, which runs in a new task for each call.
  ///
  /// Cancelling the promise of a call also cancels its task.
  @_disfavoredOverload
  public init(_ transform: @escaping @Sendable (Input) async throws -> Output) {
    self.init { input in Promise { try await transform(input) } }
  }

  /// Transforms one value. The call `transformer(input)` is short for
  /// `transformer.transform(input)`.
  public func callAsFunction(_ input: Input) -> Promise<Output> { transform(input) }

  /// Returns a transformer that applies this transformer and then `next`. When the first one fails,
  /// `next` isn't called.
  ///
  /// - Complexity: O(1) to build. Each transformer is called once for each value.
  /// - Law: `>>>` is associative: `(a >>> b) >>> c == a >>> (b >>> c)`. `.identity` is its identity
  ///   element: `a >>> .identity == a == .identity >>> a`. See `CodecLaws`.
  public func then<NewOutput>(
    _ next: Transformer<Output, NewOutput>
  ) -> Transformer<Input, NewOutput> {
    Transformer<Input, NewOutput> { transform($0).flatMap(next.transform) }
  }

  /// Returns `first.then(second)`. The operator is pronounced "then".
  ///
  /// - Law: The laws of ``then(_:)`` also hold for this operator.
  public static func >>> <NewOutput>(
    first: Transformer, second: Transformer<Output, NewOutput>
  ) -> Transformer<Input, NewOutput> {
    first.then(second)
  }
}

extension Transformer where Input == Output {
  /// A transformer that returns values unchanged. This transformer is the identity element of
  /// `>>>`.
  @inlinable
  public static var identity: Transformer {
    var identity = Transformer { Promise($0) }
    identity.isIdentity = true
    return identity
  }
}
