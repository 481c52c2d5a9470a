import Foundation

/// The functions of the library zlib. It's loaded once, and never unloaded.
///
/// zlib is part of Apple's systems and of nearly every Linux system, but a minimal Linux image can
/// lack it.
package struct ZlibLibrary: Sendable {
  /// zlib's `z_stream`. All 1.x versions of zlib use this layout, which a C compiler gives to these
  /// fields on 64-bit systems.
  package struct Stream {
    package var next_in: UnsafePointer<UInt8>?
    package var available_in: UInt32 = 0
    var total_in: UInt = 0
    package var next_out: UnsafeMutablePointer<UInt8>?
    package var available_out: UInt32 = 0
    var total_out: UInt = 0
    var message: UnsafePointer<CChar>?
    var state: UnsafeMutableRawPointer?
    var allocate: UnsafeMutableRawPointer?
    var release: UnsafeMutableRawPointer?
    var opaque: UnsafeMutableRawPointer?
    var kind: Int32 = 0
    var checksum: UInt = 0
    var reserved: UInt = 0

    package init() {}
  }

  /// The address of an open stream. zlib stores this address, so the stream must not move.
  package typealias Address = UnsafeMutablePointer<Stream>
  private typealias Text = UnsafePointer<CChar>
  private typealias OpenInflate =
    @convention(c) @Sendable (UnsafeMutableRawPointer, Int32, Text, Int32) -> Int32
  private typealias OpenDeflate =
    @convention(c) @Sendable (
      UnsafeMutableRawPointer, Int32, Int32, Int32, Int32, Int32, Text, Int32
    ) -> Int32
  private typealias Step = @convention(c) @Sendable (UnsafeMutableRawPointer, Int32) -> Int32
  private typealias Plain = @convention(c) @Sendable (UnsafeMutableRawPointer) -> Int32

  /// The library, or `nil` if it can't be loaded.
  package static let shared = ZlibLibrary(in: [
    "libz.so.1", "/usr/lib/libz.1.dylib", "libz.so",  // Linux, Apple's systems, and Android.
  ])

  private let openInflate: OpenInflate
  private let inflateFunction: Step
  private let resetFunction: Plain
  private let endInflate: Plain
  private let openDeflate: OpenDeflate
  private let deflateFunction: Step
  private let endDeflate: Plain

  /// Loads the first of the files that exists, or returns `nil` if none exists.
  package init?(in files: [String]) {
    guard let library = files.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first,
      let open = dlsym(library, "inflateInit2_"), let inflate = dlsym(library, "inflate"),
      let reset = dlsym(library, "inflateReset"), let end = dlsym(library, "inflateEnd"),
      let openOther = dlsym(library, "deflateInit2_"), let deflate = dlsym(library, "deflate"),
      let endOther = dlsym(library, "deflateEnd")
    else { return nil }
    openInflate = unsafeBitCast(open, to: OpenInflate.self)
    inflateFunction = unsafeBitCast(inflate, to: Step.self)
    resetFunction = unsafeBitCast(reset, to: Plain.self)
    endInflate = unsafeBitCast(end, to: Plain.self)
    openDeflate = unsafeBitCast(openOther, to: OpenDeflate.self)
    deflateFunction = unsafeBitCast(deflate, to: Step.self)
    endDeflate = unsafeBitCast(endOther, to: Plain.self)
  }

  private static let size = Int32(MemoryLayout<Stream>.size)

  /// Opens a stream, and returns zero on success.
  package func open(_ stream: Address, windowBits: Int32) -> Int32 {
    openInflate(stream, windowBits, "1.2.11", Self.size)
  }

  /// Decodes bytes. Returns 0 if decoding made progress, 1 at the end of the stream, and a
  /// negative number on failure.
  package func inflate(_ stream: Address) -> Int32 { inflateFunction(stream, 0) }

  /// Prepares the stream to decode another gzip member of the same body.
  package func reset(_ stream: Address) -> Int32 { resetFunction(stream) }

  /// Frees the state of an open stream.
  package func end(_ stream: Address) -> Int32 { endInflate(stream) }
}

extension ZlibLibrary {
  /// Encodes bytes as one raw deflate stream (RFC 1951). Returns the number of bytes that it has
  /// written, or `nil` if the stream doesn't fit into `output`.
  package func deflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    run(input, output) { stream in
      let (level, method, windowBits, memory, strategy) = (
        Int32(6), Int32(8), Int32(-15), Int32(8), Int32(0)
      )
      guard
        openDeflate(stream, level, method, windowBits, memory, strategy, "1.2.11", Self.size) == 0
      else { return false }
      defer { _ = endDeflate(stream) }
      return deflateFunction(stream, Self.finish) == Self.isAtEnd
    }
  }

  /// Decodes one raw deflate stream. Returns whether the input is exactly one stream whose content
  /// fills `output` exactly.
  package func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var left: UInt32 = 1
    let count = run(input, output) { stream in
      guard open(stream, windowBits: -15) == 0 else { return false }
      defer { _ = endInflate(stream) }
      let code = inflateFunction(stream, Self.finish)
      left = stream.pointee.available_in
      return code == Self.isAtEnd
    }
    return count == output.count && left == 0
  }

  private static let finish: Int32 = 4
  private static let isAtEnd: Int32 = 1

  /// Sets up a stream, and returns how many bytes `body` has written, or `nil` if it failed.
  private func run(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer,
    _ body: (Address) -> Bool
  ) -> Int? {
    guard input.count <= UInt32.max, output.count <= UInt32.max else { return nil }
    return withUnsafeTemporaryAllocation(of: Stream.self, capacity: 1) { streams -> Int? in
      guard let stream = streams.baseAddress else { return nil }
      stream.initialize(to: Stream())
      defer { stream.deinitialize(count: 1) }
      stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.available_in = UInt32(input.count)
      stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.available_out = UInt32(output.count)
      return body(stream) ? output.count - Int(stream.pointee.available_out) : nil
    }
  }
}
