/// Decodes gzip (RFC 1952) or deflate (RFC 1950) with zlib, and verifies the checksum.
///
/// This decoder also accepts deflate streams without the header and the checksum of RFC 1950,
/// because some origins omit both.
final class Inflater {
  private let zlib: ZlibLibrary
  private let coding: BodyCoding
  /// The stream. Its address must never change, because zlib stores it.
  private let stream: UnsafeMutablePointer<ZlibLibrary.Stream>
  /// The first byte of the body. It's kept until the second byte arrives, because only both bytes
  /// together reveal the format.
  private var start: [UInt8] = []
  private var isOpen = false
  private var isAtEnd = false

  init(_ coding: BodyCoding) throws(NetworkError.Reason) {
    guard let zlib = ZlibLibrary.shared else { throw .undecodableBody("zlib can't be loaded") }
    self.zlib = zlib
    self.coding = coding
    stream = .allocate(capacity: 1)
    stream.initialize(to: ZlibLibrary.Stream())
  }

  deinit {
    if isOpen { _ = zlib.end(stream) }
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Decodes the next bytes, and passes the output to the sink in pieces.
  func write(
    _ input: UnsafeRawBufferPointer, to sink: BodyDecoder.Sink
  ) throws(NetworkError.Reason) {
    guard !isOpen else { return try inflate(input, to: sink) }
    start += input
    guard start.count >= 2 else { return }
    try open(windowBits: coding == .gzip ? 31 : Self.hasHeader(start) ? 15 : -15)
    let bytes = start
    start = []
    try Self.withBytes(bytes) { (bytes) throws(NetworkError.Reason) in
      try inflate(bytes, to: sink)
    }
  }

  /// Checks that the stream is complete, including its checksum.
  func finish() throws(NetworkError.Reason) {
    guard isAtEnd else { throw .undecodableBody("its \(coding) stream ends too early") }
  }

  private func inflate(
    _ input: UnsafeRawBufferPointer, to sink: BodyDecoder.Sink
  ) throws(NetworkError.Reason) {
    guard !input.isEmpty else { return }
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.available_in = UInt32(input.count)
    repeat {
      try continueAfterEnd()
      try step(sink)
    } while stream.pointee.available_in > 0 || (stream.pointee.available_out == 0 && !isAtEnd)
  }

  /// Prepares for the next member if bytes follow the end of a member of a gzip body.
  ///
  /// Throws an error if bytes follow the end of a deflate stream.
  private func continueAfterEnd() throws(NetworkError.Reason) {
    guard isAtEnd, stream.pointee.available_in > 0 else { return }
    guard coding == .gzip, zlib.reset(stream) == 0 else {
      throw .undecodableBody("bytes follow its \(coding) stream")
    }
    isAtEnd = false
  }

  private func step(_ sink: BodyDecoder.Sink) throws(NetworkError.Reason) {
    let size = 1 << 14
    var failure: NetworkError.Reason?
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { output in
      stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.available_out = UInt32(size)
      let code = zlib.inflate(stream)
      isAtEnd = code == 1
      let count = size - Int(stream.pointee.available_out)
      do throws(NetworkError.Reason) {
        // The code -5 means that zlib needs more input.
        guard code == 0 || code == 1 || code == -5 else {
          throw .undecodableBody("its \(coding) stream is damaged")
        }
        if count > 0 { try sink(UnsafeRawBufferPointer(rebasing: output[..<count])) }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func open(windowBits: Int32) throws(NetworkError.Reason) {
    guard zlib.open(stream, windowBits: windowBits) == 0 else {
      throw .undecodableBody("zlib can't start")
    }
    isOpen = true
  }

  /// Whether the first two bytes form a zlib header (RFC 1950, section 2.2). Such a header has a
  /// valid method and window size, and its 16-bit value is a multiple of 31.
  private static func hasHeader(_ start: [UInt8]) -> Bool {
    start[0] & 15 == 8 && start[0] >> 4 <= 7 && (Int(start[0]) << 8 + Int(start[1])) % 31 == 0
  }

  private static func withBytes(
    _ bytes: [UInt8], _ body: BodyDecoder.Sink
  ) throws(NetworkError.Reason) {
    var failure: NetworkError.Reason?
    bytes.withUnsafeBytes { bytes in
      do throws(NetworkError.Reason) { try body(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
