#if os(Linux) && canImport(Glibc)
  import Glibc

  /// A pointer through which a loaded object calls a function of another object.
  ///
  /// This pointer is stored in memory of the dynamic loader, which doesn't move.
  struct LinkSlot: Sendable {
    private let bits: UInt
    private let target: UInt

    private var address: UnsafeMutablePointer<UInt> { UnsafeMutablePointer(bitPattern: bits)! }

    fileprivate init(_ address: UnsafeMutablePointer<UInt>) {
      (bits, target) = (UInt(bitPattern: address), address.pointee)
    }

    func store(_ value: UInt) { address.pointee = value }

    func restore() { address.pointee = target }

    /// Makes this slot writable, because the loader might have made the memory page read-only.
    func makeWritable() -> Bool {
      let size = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let page = UnsafeMutableRawPointer(bitPattern: bits / size * size)
      return mprotect(page, Int(size), PROT_READ | PROT_WRITE) == 0
    }
  }

  extension LinkSlot {
    /// Returns the slots for functions with these names in all loaded objects.
    static func all(for names: [String]) -> [(name: String, slot: LinkSlot)] {
      var images: [LoadedImage] = []
      guard let iterate: Iterate = symbol("dl_iterate_phdr") else { return [] }
      _ = withUnsafeMutablePointer(to: &images) { images in
        iterate(
          { info, _, images in
            guard let info, let images else { return 0 }
            LoadedImage(info).map {
              images.assumingMemoryBound(to: [LoadedImage].self).pointee.append($0)
            }
            return 0
          }, images)
      }
      return images.flatMap { image in
        image.slots(for: names).map { ($0, LinkSlot($1)) }
      }
    }

    private typealias Visit =
      @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) ->
      Int32
    private typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32
  }

  /// Looks up a function of this process by name, without using the pointers that a hook might have
  /// replaced.
  func symbol<Function>(_ name: String) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
  }
#endif
