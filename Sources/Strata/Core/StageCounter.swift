import Synchronization

/// The counters of one stage: the hits for which no event is built, and the operations in flight.
///
/// A hit adds to a counter in the cache line of its thread's stripe, and reads no clock. So threads
/// don't wait for each other. Any other operation is passed to a closure as an event.
@usableFromInline
package final class StageCounter: Sendable {
  /// The counters of one stripe of threads. A stripe fills a whole cache line of any processor.
  @usableFromInline
  struct Stripe: ~Copyable {
    /// The hits without an event.
    @usableFromInline let hits = Atomic(0)
    /// The size of the values of these hits in bytes.
    @usableFromInline let bytes = Atomic(0)
    /// The gets with an event.
    @usableFromInline let reported = Atomic(0)

    init() {}
  }

  /// The number of gets of a stripe that are all measured at first. Each measured get after them
  /// stands for this many gets.
  @usableFromInline package static let interval = 64
  /// The distance between two stripes in bytes.
  @usableFromInline static let stride = 128
  @usableFromInline static let stripeCount = 32

  /// The stripes. Threads change them only by atomic operations.
  @usableFromInline nonisolated(unsafe) let stripes: UnsafeMutableRawPointer
  let receive: @Sendable (CacheEvent) -> Void
  private let running = Atomic(0)

  /// Creates counters of zero.
  ///
  /// - Parameter receive: A closure called once for each event.
  package init(_ receive: @escaping @Sendable (CacheEvent) -> Void) {
    self.receive = receive
    stripes = .allocate(
      byteCount: Self.stripeCount * Self.stride, alignment: Self.stride)
    for index in 0..<Self.stripeCount { pointer(at: index).initialize(to: Stripe()) }
  }

  deinit {
    for index in 0..<Self.stripeCount { pointer(at: index).deinitialize(count: 1) }
    stripes.deallocate()
  }

  @inlinable
  @inline(__always)
  func pointer(at index: Int) -> UnsafeMutablePointer<Stripe> {
    (stripes + index &* Self.stride).assumingMemoryBound(to: Stripe.self)
  }

  /// The stripe of the current thread. Several threads may share it.
  @inlinable
  var stripe: UnsafeMutablePointer<Stripe> {
    @inline(__always) get {
      pointer(at: Int(truncatingIfNeeded: StageCounter.spread(threadAddress()) &>> 59))
    }
  }

  /// Returns a number whose upper bits differ for numbers that are similar.
  @inlinable
  @inline(__always)
  static func spread(_ number: UInt) -> UInt { number &* 0x9E37_79B9_7F4A_7C15 }

  /// Begins and ends an operation whose answer comes later.
  func begin() { running.wrappingAdd(1, ordering: .relaxed) }
  func end() { running.wrappingSubtract(1, ordering: .relaxed) }

  /// The number of operations in flight. Synchronous operations don't count.
  package var inFlight: Int { running.load(ordering: .relaxed) }

  /// The hits without an event, and the size of their values.
  package var counts: (hits: Int, bytes: Int) {
    (0..<Self.stripeCount).reduce(into: (0, 0)) { sum, index in
      sum.0 += pointer(at: index).pointee.hits.load(ordering: .relaxed)
      sum.1 += pointer(at: index).pointee.bytes.load(ordering: .relaxed)
    }
  }

  /// Sets the counts of all gets to zero.
  package func reset() {
    for index in 0..<Self.stripeCount {
      pointer(at: index).pointee.hits.store(0, ordering: .relaxed)
      pointer(at: index).pointee.bytes.store(0, ordering: .relaxed)
      pointer(at: index).pointee.reported.store(0, ordering: .relaxed)
    }
  }
}

extension StageCounter.Stripe {
  /// The number of gets that the next get stands for in a histogram, or zero if it needn't be
  /// measured.
  ///
  /// The distances between measured gets vary, so that a loop over some keys doesn't measure the
  /// same key each time.
  @inlinable
  var weight: Int {
    @inline(__always) get {
      let number = hits.load(ordering: .relaxed) &+ reported.load(ordering: .relaxed)
      if number < StageCounter.interval { return 1 }
      let isDue = StageCounter.spread(UInt(bitPattern: number)) &>> 58 == 0
      return isDue ? StageCounter.interval : 0
    }
  }

  /// Counts a hit for which no event is built.
  @inlinable
  @inline(__always)
  func count(bytes size: Int?) {
    hits.wrappingAdd(1, ordering: .relaxed)
    if let size { bytes.wrappingAdd(size, ordering: .relaxed) }
  }
}
