#if os(Linux) && canImport(Glibc)
  /// The hooks between the loaded objects and the allocator, which are active only during a count.
  ///
  /// A replacement symbol named malloc would need a C target or linker flags, and would conflict
  /// with a sanitizer. The hooks instead replace the pointers through which the objects call the
  /// allocator. Code outside a count has no overhead.
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
      Allocator.reset()  // Reset last, because the loop allocates in a debug build.
    }

    func end() { for (slot, _) in slots { slot.restore() } }
  }
#endif
