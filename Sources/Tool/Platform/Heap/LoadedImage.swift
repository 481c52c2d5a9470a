#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The symbols and slots of a loaded object.
  ///
  /// Offsets, tags, and sizes in this code come from the 64-bit ELF specification.
  struct LoadedImage {
    private let base: UInt
    private var symbols: UnsafeRawPointer?
    private var names: UnsafeRawPointer?
    /// The relocation tables for function calls and for data. Both are necessary, because global
    /// variables can also contain function addresses.
    private var tables: [(start: UnsafeRawPointer, size: Int)] = []

    /// - Parameter info: A pointer to a `dl_phdr_info` structure, which contains the object's
    ///   address, name, headers, and number of headers.
    init?(_ info: UnsafeRawPointer) {
      base = info.load(as: UInt.self)
      let count = Int(info.load(fromByteOffset: 24, as: UInt16.self))
      guard let headers = info.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else {
        return nil
      }
      let dynamic = (0..<count).map { headers + 56 * $0 }.first { $0.load(as: UInt32.self) == 2 }
      guard let address = dynamic?.load(fromByteOffset: 16, as: UInt.self),
        let entries = UnsafeRawPointer(bitPattern: base &+ address)
      else { return nil }
      read(entries)
      guard symbols != nil, names != nil, !tables.isEmpty else { return nil }
    }

    private mutating func read(_ start: UnsafeRawPointer) {
      var entries: [UInt: UInt] = [:]
      var entry = start
      while case let tag = entry.load(as: UInt.self), tag != 0 {
        entries[tag] = entry.load(fromByteOffset: 8, as: UInt.self)
        entry += 16
      }
      // The kernel maps the vDSO, a small library, into each process but doesn't relocate it, so
      // the addresses in the vDSO are offsets from its base.
      let (base, values) = (self.base, entries)
      let pointer = { (tag: UInt) -> UnsafeRawPointer? in
        values[tag].flatMap { UnsafeRawPointer(bitPattern: $0 < base ? base &+ $0 : $0) }
      }
      (names, symbols) = (pointer(5), pointer(6))
      let isWithAddends = values[20].map { $0 == 7 } ?? true
      guard isWithAddends else { return }
      for (start, size) in [(UInt(23), UInt(2)), (7, 8)] {
        if let start = pointer(start), let size = values[size] { tables.append((start, Int(size))) }
      }
    }

    /// Returns the slots that contain the address of a function with one of these names.
    func slots(for wanted: [String]) -> [(String, UnsafeMutablePointer<UInt>)] {
      guard let symbols, let names else { return [] }
      return tables.flatMap { table in
        stride(from: 0, to: table.size, by: 24).compactMap { offset in
          let info = table.start.load(fromByteOffset: offset + 8, as: UInt.self)
          guard Self.kinds.contains(info & 0xFFFF_FFFF), info >> 32 != 0 else { return nil }
          let name = names + Int((symbols + 24 * Int(info >> 32)).load(as: UInt32.self))
          let characters = name.assumingMemoryBound(to: CChar.self)
          guard let found = wanted.first(where: { strcmp(characters, $0) == 0 }) else { return nil }
          let index = base &+ table.start.load(fromByteOffset: offset, as: UInt.self)
          return UnsafeMutablePointer(bitPattern: index).map { (found, $0) }
        }
      }
    }

    /// The relocation types that store the address of a symbol.
    private static var kinds: Set<UInt> {
      #if arch(x86_64)
        [6, 7]
      #elseif arch(arm64)
        [1025, 1026]
      #else
        []
      #endif
    }
  }
#endif
