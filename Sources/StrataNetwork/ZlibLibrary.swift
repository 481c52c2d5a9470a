#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Glibc

  /// The functions of `libz.so.1`. The process loads this library once and never unloads it.
  struct ZlibLibrary: Sendable {
    typealias Stream = UnsafeMutablePointer<strata_zlib_stream>
    private typealias Open = @convention(c) (Stream, Int32, UnsafePointer<CChar>, Int32) -> Int32
    private typealias Step = @convention(c) (Stream, Int32) -> Int32
    private typealias Plain = @convention(c) (Stream) -> Int32

    /// The library, or `nil` if it can't be loaded.
    static let shared = ZlibLibrary()

    private let openFunction: Open
    private let inflateFunction: Step
    private let resetFunction: Plain
    private let endFunction: Plain

    private init?() {
      guard let library = dlopen("libz.so.1", RTLD_NOW),
        let open = dlsym(library, "inflateInit2_"), let inflate = dlsym(library, "inflate"),
        let reset = dlsym(library, "inflateReset"), let end = dlsym(library, "inflateEnd")
      else { return nil }
      openFunction = unsafeBitCast(open, to: Open.self)
      inflateFunction = unsafeBitCast(inflate, to: Step.self)
      resetFunction = unsafeBitCast(reset, to: Plain.self)
      endFunction = unsafeBitCast(end, to: Plain.self)
    }

    /// Opens a stream, and returns zero on success. All 1.x versions of zlib use the same stream
    /// layout.
    func open(_ stream: Stream, windowBits: Int32) -> Int32 {
      openFunction(stream, windowBits, "1.2.11", Int32(MemoryLayout<strata_zlib_stream>.size))
    }

    /// Decodes bytes. Returns 0 if decoding made progress, 1 at the end of the stream, and a
    /// negative number on failure.
    func inflate(_ stream: Stream) -> Int32 { inflateFunction(stream, 0) }

    /// Prepares the stream to decode another gzip member of the same body.
    func reset(_ stream: Stream) -> Int32 { resetFunction(stream) }

    /// Frees the state of an open stream.
    func end(_ stream: Stream) -> Int32 { endFunction(stream) }
  }
#endif
