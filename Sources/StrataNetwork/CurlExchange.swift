#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Foundation

  /// One request and its response in libcurl. Only the thread that uses libcurl uses this object.
  final class CurlExchange {
    let id: UInt64
    let easy: CurlLibrary.Handle
    let receiver: any ResponseReceiver
    private var parser = HeaderParser()
    private var refusal: NetworkError.Reason?
    private var list: CurlLibrary.List?
    /// The buffer in which libcurl describes a failure. It lives as long as the handle.
    private let details = UnsafeMutableRawBufferPointer.allocate(
      byteCount: CurlNumber.errorSize, alignment: 1)
    private var verification = 0
    private let method: String
    private let isTLS: Bool
    /// The body of the request, if it's long. libcurl doesn't copy a long body, so it must stay
    /// alive.
    private var body: Data?

    init(
      _ id: UInt64, _ easy: CurlLibrary.Handle, _ request: OutgoingRequest,
      _ receiver: any ResponseReceiver
    ) {
      (self.id, self.easy, self.receiver) = (id, easy, receiver)
      (method, isTLS) = (request.method, request.isTLS)
    }

    deinit { details.deallocate() }

    /// Sets all options of the transfer. An option that the loaded version of libcurl doesn't
    /// support has no effect.
    func configure(_ request: OutgoingRequest, _ curl: CurlLibrary, idleTimeout: Duration) {
      details[0] = 0  // Until libcurl describes a failure.
      curl.set(easy, .errorBuffer, pointer: details.baseAddress)
      curl.set(easy, .url, request.url.absoluteString)
      curl.set(easy, .protocols, CurlNumber.httpAndHTTPS)
      curl.set(easy, .pathAsIs, 1)
      curl.set(easy, .noSignal, 1)
      curl.set(easy, .suppressConnectHeaders, 1)
      curl.set(easy, .quickExit, 1)  // A cancelled exchange must not wait for a host lookup.
      curl.set(easy, .httpVersion, isTLS ? CurlNumber.version2OverTLS : CurlNumber.version1)
      if isTLS { curl.set(easy, .pipeWait, 1) }  // Prefers a shared HTTP/2 connection.
      // Opens a new connection. On a reused connection that the origin has closed, libcurl would
      // repeat any request, even a POST.
      if !request.isIdempotent { curl.set(easy, .freshConnect, 1) }
      curl.set(easy, .maximumIdleAge, Int(max(1, idleTimeout.components.seconds)))
      if isTLS, let file = getenv("SSL_CERT_FILE"), file.pointee != 0 {
        curl.set(easy, .certificateFile, pointer: file)
      }
      setBody(request, curl)
      setFields(request, curl)
      setCallbacks(curl)
    }

    /// Frees the handle and the list of fields.
    ///
    /// Handles are never reused: if the second response on a handle begins with a folded line,
    /// libcurl 7.88 writes to freed memory. Later versions don't have this bug.
    func release(_ curl: CurlLibrary) {
      withUnsafeMutablePointer(to: &verification) {
        _ = strata_set_pointer(curl.easyGetInfo, easy, CurlNumber.infoVerification, $0)
      }
      curl.easyCleanup(easy)
      curl.listFree(list)
      list = nil
    }

    /// Returns the error with which the exchange ends, or `nil` if it has a complete response. Call
    /// `release(_:)` before this function.
    func error(code: Int32, _ curl: CurlLibrary) -> (any Error)? {
      if let refusal { return refusal }
      guard code != 0 else { return nil }
      if code == CurlNumber.unknownCoding { return BodyLength.unknownCoding }
      let text = curl.easyError(code).map { String(cString: $0) } ?? "Unknown error"
      let details = self.details.prefix { $0 != 0 }.map { $0 < 32 || $0 == 127 ? 32 : $0 }
      return CurlError(
        code: code, text: text, details: String(decoding: details, as: UTF8.self),
        verification: verification)
    }

    private func setBody(_ request: OutgoingRequest, _ curl: CurlLibrary) {
      if request.method == "HEAD" { return curl.set(easy, .noBody, 1) }
      if let body = request.body ?? (request.announcesEmptyBody ? Data() : nil) {
        curl.set(easy, .post, 1)
        curl.set(easy, .postSize, offset: Int64(body.count))
        // Copies a short body, because only the storage of a long `Data` stays at its address. But
        // a long body may be a mapped file, and a copy would load this file into memory.
        let isLong = body.count > 1 << 20
        if isLong { self.body = body }
        body.withUnsafeBytes { bytes in
          withUnsafePointer(to: 0 as UInt8) { empty in
            curl.set(
              easy, isLong ? .postFields : .copyPostFields,
              pointer: bytes.baseAddress ?? UnsafeRawPointer(empty))
          }
        }
      }
      if request.method != "GET" || request.body != nil {
        curl.set(easy, .customRequest, request.method)
      }
    }

    /// Sets the header fields.
    ///
    /// In libcurl's list, an entry with a colon, such as `Expect:`, removes a default field. An
    /// entry with a semicolon, such as `Accept;`, sends a field with an empty value.
    private func setFields(_ request: OutgoingRequest, _ curl: CurlLibrary) {
      var line: [UInt8] = []
      line.reserveCapacity(128)
      func append(_ name: String, _ value: String, _ separator: String = ": ") {
        line.removeAll(keepingCapacity: true)
        line.append(contentsOf: name.utf8)
        line.append(contentsOf: separator.utf8)
        RawText.append(value, to: &line)
        line.append(0)
        line.withUnsafeBytes { bytes in
          guard let text = bytes.bindMemory(to: CChar.self).baseAddress else { return }
          list = curl.listAppend(list, text) ?? list
        }
      }
      append("Expect", "", ":")
      if !request.fields.contains("Content-Type") { append("Content-Type", "", ":") }
      for field in request.fields {
        append(field.name, field.value, field.value.isEmpty ? ";" : ": ")
      }
      curl.set(easy, .httpHeader, pointer: list)
    }

    private func setCallbacks(_ curl: CurlLibrary) {
      let exchange = Unmanaged.passUnretained(self).toOpaque()
      curl.set(easy, .privateData, pointer: exchange)
      curl.set(easy, .writeData, pointer: exchange)
      curl.set(easy, .headerData, pointer: exchange)
      curl.set(easy, .writeFunction, pointer: unsafeBitCast(onBody, to: UnsafeRawPointer.self))
      curl.set(easy, .headerFunction, pointer: unsafeBitCast(onLine, to: UnsafeRawPointer.self))
    }

    fileprivate func receive(line: UnsafeRawBufferPointer) -> Bool {
      do throws(NetworkError.Reason) {
        guard let head = try parser.receive(line) else { return true }
        if isTLS, parser.isVersion1 { try BodyLength.checkEnd(of: head, method: method) }
        return receiver.receive(head)
      } catch {
        refusal = error
        return false
      }
    }

    /// Receives bytes of the body, and returns their count. Any other number pauses or ends the
    /// exchange.
    fileprivate func receive(body piece: UnsafeRawBufferPointer) -> Int {
      if receiver.isFull() { return CurlNumber.writePause }
      return receiver.receive(piece) ? piece.count : -1
    }
  }

  private typealias Callback =
    @convention(c) (
      UnsafeRawPointer?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int

  /// Receives a line of the header, and returns its length. Any other result makes libcurl end the
  /// exchange.
  private let onLine: Callback = { bytes, size, count, data in
    guard let data else { return 0 }
    let exchange = Unmanaged<CurlExchange>.fromOpaque(data).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return exchange.receive(line: line) ? line.count : -1
  }

  private let onBody: Callback = { bytes, size, count, data in
    guard let data else { return 0 }
    let exchange = Unmanaged<CurlExchange>.fromOpaque(data).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return exchange.receive(body: piece)
  }
#endif
