/// Calls a closure when the system reports that memory is short, as long as this object exists.
///
/// All listeners share one subscription, which begins with the first listener. Linux sends no such
/// reports, so programs on Linux listen to a `MemoryWarningSource`.
@usableFromInline
final class MemoryListener: Sendable {
  /// The listeners of one source of reports.
  final class Group: Sendable {
    private struct Weak: Sendable { weak var listener: MemoryListener? }
    private struct State {
      var last = 0
      var listeners: [Int: Weak] = [:]
      var isListening = false
    }

    private let state = Lock(State())
    private let listen: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter listen: A closure that subscribes its argument to the source of reports. It runs
    ///   once, for the first listener.
    init(_ listen: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
      self.listen = listen
    }

    fileprivate func add(_ listener: MemoryListener) -> Int {
      let (id, isFirst) = state.withLock { state in
        defer { state.isListening = true }
        state.last += 1
        state.listeners[state.last] = Weak(listener: listener)
        return (state.last, !state.isListening)
      }
      if isFirst { listen { [weak self] in self?.warn() } }
      return id
    }

    fileprivate func remove(_ id: Int) { state.withLock { $0.listeners[id] = nil } }

    /// Calls all listeners, the newest first, so that an observed level reports its evictions.
    private func warn() {
      let listeners = state.withLock { state in
        state.listeners.sorted { $0.key > $1.key }.compactMap(\.value.listener)
      }
      for listener in listeners { listener.warn() }
    }
  }

  static let system = Group { warn in _ = MemoryWarnings.listen(warn) }

  @usableFromInline let warn: @Sendable () -> Void
  private let group: Group
  private let id = Lock(0)

  init(in group: Group, _ warn: @escaping @Sendable () -> Void) {
    (self.group, self.warn) = (group, warn)
    let id = group.add(self)
    self.id.withLock { $0 = id }
  }

  @usableFromInline
  convenience init(_ warn: @escaping @Sendable () -> Void) { self.init(in: Self.system, warn) }

  deinit { group.remove(id.withLock { $0 }) }
}
