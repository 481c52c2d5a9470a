import Glibc

/// https://developer.apple.com/documentation/combine/publishers
public enum Publishers {
  /// https://developer.apple.com/documentation/combine/publishers/first
  public struct First<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    let upstream: Upstream

    public func receive<S: Subscriber>(subscriber: S)
    where S.Failure == Failure, S.Input == Output {
      upstream.subscribe(FirstSubscriber(subscriber))
    }
  }

  /// https://developer.apple.com/documentation/combine/publishers/handleevents
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    var receiveSubscription: ((any Subscription) -> Void)?
    var receiveOutput: ((Output) -> Void)?
    var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    var receiveCancel: (() -> Void)?
    var receiveRequest: ((Subscribers.Demand) -> Void)?

    public func receive<S: Subscriber>(subscriber: S)
    where S.Failure == Failure, S.Input == Output {
      upstream.subscribe(EventSubscriber(self, subscriber))
    }
  }
}

private final class FirstSubscriber<Downstream: Subscriber>: Subscriber {
  private let downstream: Downstream
  private var subscription: (any Subscription)?
  private var isOver = false

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    downstream.receive(subscription: subscription)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard !isOver else { return .none }
    isOver = true
    _ = downstream.receive(input)
    downstream.receive(completion: .finished)
    subscription?.cancel()
    return .none
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if !isOver { downstream.receive(completion: completion) }
    isOver = true
  }
}

private final class EventSubscriber<Upstream: Publisher, Downstream: Subscriber>: Subscriber
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  private let events: Publishers.HandleEvents<Upstream>
  private let downstream: Downstream

  init(_ events: Publishers.HandleEvents<Upstream>, _ downstream: Downstream) {
    (self.events, self.downstream) = (events, downstream)
  }

  func receive(subscription: any Subscription) {
    events.receiveSubscription?(subscription)
    let events = events
    downstream.receive(
      subscription: ClosureSubscription(request: { demand in
        events.receiveRequest?(demand)
        subscription.request(demand)
      }) {
        events.receiveCancel?()
        subscription.cancel()
      })
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    events.receiveOutput?(input)
    return downstream.receive(input)
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    events.receiveCompletion?(completion)
    downstream.receive(completion: completion)
  }
}

final class ClosureSubscription: Subscription {
  let onRequest: (Subscribers.Demand) -> Void
  let onCancel: () -> Void

  init(
    request: @escaping (Subscribers.Demand) -> Void = { _ in }, cancel: @escaping () -> Void
  ) {
    (onRequest, onCancel) = (request, cancel)
  }

  func request(_ demand: Subscribers.Demand) { onRequest(demand) }
  func cancel() { onCancel() }
}

/// https://developer.apple.com/documentation/combine/deferred
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public let createPublisher: () -> DeferredPublisher

  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  public func receive<S: Subscriber>(subscriber: S)
  where S.Failure == Failure, S.Input == Output { createPublisher().subscribe(subscriber) }
}

/// https://developer.apple.com/documentation/combine/future
public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = (Result<Output, Failure>) -> Void

  private var result: Result<Output, Failure>?
  private var waiting: [(Result<Output, Failure>) -> Void] = []
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    pthread_mutex_init(mutex, nil)
    attemptToFulfill { result in
      pthread_mutex_lock(self.mutex)
      let waiting = self.waiting
      if self.result == nil { self.result = result }
      self.waiting = []
      pthread_mutex_unlock(self.mutex)
      for receive in waiting { receive(result) }
    }
  }

  deinit { mutex.deallocate() }

  public func receive<S: Subscriber>(subscriber: S)
  where S.Failure == Failure, S.Input == Output {
    subscriber.receive(subscription: ClosureSubscription {})
    let receive: (Result<Output, Failure>) -> Void = { result in
      switch result {
      case .success(let value):
        _ = subscriber.receive(value)
        subscriber.receive(completion: .finished)
      case .failure(let error): subscriber.receive(completion: .failure(error))
      }
    }
    pthread_mutex_lock(mutex)
    let result = result
    if result == nil { waiting.append(receive) }
    pthread_mutex_unlock(mutex)
    if let result { receive(result) }
  }
}

/// https://developer.apple.com/documentation/combine/passthroughsubject
public final class PassthroughSubject<Output, Failure: Error>: Publisher {
  private var subscribers: [(id: Int, subscriber: any Subscriber<Output, Failure>)] = []
  private var last = 0

  public init() {}

  public func receive<S: Subscriber>(subscriber: S)
  where S.Failure == Failure, S.Input == Output {
    last += 1
    let id = last
    subscribers.append((id, subscriber))
    subscriber.receive(
      subscription: ClosureSubscription { [weak self] in
        self?.subscribers.removeAll { $0.id == id }
      })
  }

  public func send(_ input: Output) {
    for (_, subscriber) in subscribers { _ = subscriber.receive(input) }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    let all = subscribers
    subscribers = []
    for (_, subscriber) in all { subscriber.receive(completion: completion) }
  }
}
