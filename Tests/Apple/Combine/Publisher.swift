// https://developer.apple.com/documentation/combine

/// https://developer.apple.com/documentation/combine/publisher
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output
}

extension Publisher {
  /// https://developer.apple.com/documentation/combine/publisher/subscribe(_:)-4u8kn
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Failure == Failure, S.Input == Output { receive(subscriber: subscriber) }

  /// https://developer.apple.com/documentation/combine/publisher/erasetoanypublisher()
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

  /// https://developer.apple.com/documentation/combine/publisher/first()
  public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

  /// https://developer.apple.com/documentation/combine/publisher/handleevents(receivesubscription:receiveoutput:receivecompletion:receivecancel:receiverequest:)
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel,
      receiveRequest: receiveRequest)
  }

  /// https://developer.apple.com/documentation/combine/publisher/sink(receivecompletion:receivevalue:)
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

/// https://developer.apple.com/documentation/combine/subscriber
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

/// https://developer.apple.com/documentation/combine/cancellable
public protocol Cancellable {
  func cancel()
}

/// https://developer.apple.com/documentation/combine/subscription
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

/// https://developer.apple.com/documentation/combine/customcombineidentifierconvertible
///
/// A class has a default identifier. Any other type must declare its own identifier.
public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// https://developer.apple.com/documentation/combine/customcombineidentifierconvertible
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// https://developer.apple.com/documentation/combine/combineidentifier
public struct CombineIdentifier: Hashable {
  private let object: ObjectIdentifier

  public init(_ obj: AnyObject) { object = ObjectIdentifier(obj) }
}

/// https://developer.apple.com/documentation/combine/subscribers
public enum Subscribers {
  /// https://developer.apple.com/documentation/combine/subscribers/completion
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }

  /// https://developer.apple.com/documentation/combine/subscribers/demand
  public struct Demand: Equatable, Sendable {
    private let isUnlimited: Bool

    public static let unlimited = Demand(isUnlimited: true)
    public static let none = Demand(isUnlimited: false)
  }
}

/// https://developer.apple.com/documentation/combine/anycancellable
///
/// This class isn't `Sendable`. Releasing an instance cancels its subscription.
public final class AnyCancellable: Cancellable {
  private var body: (() -> Void)?

  public init(_ cancel: @escaping () -> Void) { body = cancel }
  public init<C: Cancellable>(_ canceller: C) { body = { canceller.cancel() } }
  deinit { body?() }

  public func cancel() {
    let body = body
    self.body = nil
    body?()
  }
}

/// https://developer.apple.com/documentation/combine/anypublisher
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let upstream: any Publisher<Output, Failure>

  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    upstream = publisher
  }

  public func receive<S: Subscriber>(subscriber: S)
  where S.Failure == Failure, S.Input == Output { upstream.receive(subscriber: subscriber) }
}

final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
  private let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  private let receiveValue: (Input) -> Void
  private var subscription: (any Subscription)?
  private var isOver = false

  init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    (self.receiveCompletion, self.receiveValue) = (receiveCompletion, receiveValue)
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if !isOver { receiveValue(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    (isOver, subscription) = (true, nil)
    receiveCompletion(completion)
  }

  func cancel() {
    guard !isOver else { return }
    let subscription = subscription
    (isOver, self.subscription) = (true, nil)
    subscription?.cancel()
  }
}
