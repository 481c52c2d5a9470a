#if os(Linux) && canImport(Glibc)
  /// Hooks that count the calls from the loaded objects (the program and its libraries) to the
  /// allocator. They are active only while allocations are counted.
  ///
  /// A replacement symbol named `malloc` would need a C target or linker flags, and would conflict
  /// with sanitizers. Instead, the hooks replace the addresses of the allocator's functions that
  /// the program and its libraries have stored. While allocations aren't counted, the hooks have no
  /// overhead.
  final class HeapHooks: Sendable {
    static let shared = HeapHooks()

    private let slots: [(slot: LinkSlot, hook: UInt)]

    private init?() {
      guard let hooks = Allocator.hooks else { return nil }
      slots = LinkSlot.all(for: Array(hooks.keys)).compactMap { name, slot in
        hooks[name].map { (slot, $0) }
      }
      guard !slots.isEmpty, slots.allSatisfy({ $0.slot.makeWritable() }) else { return nil }
    }

    func begin() {
      for (slot, hook) in slots { slot.store(hook) }
      Allocator.reset()  // This call comes last, because the loop allocates memory in debug builds.
    }

    func end() { for (slot, _) in slots { slot.restore() } }
  }
#endif
