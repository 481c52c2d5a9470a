import Foundation

/// Runs generated exchanges with an HTTP cache, and checks each answer.
///
/// The byte `~` separates the exchanges of an input. An exchange consists of a request, the head of
/// a response, and a body, which empty lines separate. An exchange that begins with `+` moves the
/// clock, and one that begins with `!` damages the store. In every text, `#` and a digit stand for
/// an extreme number, so that the fuzzer needs two bytes to put it into any field.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  guard let first = bytes.first else { return -1 }
  _ = StoreRecord(Data(bytes.dropFirst()))
  var scene = FuzzScene(first)
  for exchange in bytes.dropFirst().split(separator: UInt8(ascii: "~")).prefix(8) {
    scene.run(Array(exchange))
  }
  return 0
}

private let extremes = [
  "-1", "0", "2147483648", "4611686018427387903", "4611686018427387904", "9223372036854775806",
  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "99999999999999999999",
]

private func expanded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  var (result, rest) = ([UInt8](), bytes)
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "#"), let digit = rest.first, (48...57).contains(digit) else {
      result.append(byte)
      continue
    }
    rest = rest.dropFirst()
    result += extremes[Int(digit) - 48].utf8
  }
  return result
}

private func number(_ text: some StringProtocol) -> Int64 {
  Int64(String(text.filter { $0 != " " })) ?? 0
}

/// A cache over a store in memory, and the responses that its origin has sent.
private struct FuzzScene {
  /// A response that the origin has sent.
  struct Sent {
    let key: String
    let isReusable: Bool
  }

  let clock: ManualTime
  let cache: HTTPCache
  let records = Lock<[String: Data]>([:])
  let reply = Lock<(head: [UInt8], body: [UInt8])>(([], []))
  let sent = Lock<[Sent]>([])
  var isDamaged = false

  init(_ choices: UInt8) {
    let (time, clock) = TimeSource.manual(
      startingAt: TimeSource.Instant(sinceEpoch: .seconds(1_767_225_600)))
    self.clock = clock
    var policy = HTTPCachePolicy(isShared: choices & 1 == 1)
    let extreme = Double(extremes[Int(choices >> 4) % extremes.count]) ?? 0
    policy.heuristicFraction = choices & 8 == 8 ? extreme / 0 : extreme
    policy.negativeLifetime = .seconds(choices & 2 == 2 ? Int64.max : Int64.min)
    policy.heuristicLimit = .seconds(choices & 4 == 4 ? Int64.max : 86_400)
    let (records, reply, sent) = (records, reply, sent)
    let store = Cache<String, Data>(
      get: { key in
        guard let data = records.withLock({ $0[key] }) else { return .miss }
        return Promise(data)
      },
      set: { key, data in Promise(records.withLock { $0[key] = data }) },
      remove: { key in Promise(records.withLock { $0[key] = nil }) })
    // The origin returns a promise, because a synchronous function would run on another thread.
    let origin = Fetcher<URLRequest, NetworkResponse> { request -> Promise<NetworkResponse> in
      do {
        return Promise(try Self.response(to: request, reply.withLock { $0 }, at: time.now(), sent))
      } catch {
        return Promise(error: error)
      }
    }
    cache = HTTPCache(storedIn: store, from: origin, policy: policy, clock: time)
  }

  mutating func run(_ exchange: [UInt8]) {
    let text = String(decoding: expanded(exchange[...]), as: UTF8.self)
    switch exchange.first {
    case UInt8(ascii: "+"):
      clock.advance(by: .seconds(max(0, min(number(text.dropFirst()), 1 << 33))))
    case UInt8(ascii: "!"): damage(exchange)
    default: answer(exchange)
    }
  }

  /// Changes one byte of a record.
  private mutating func damage(_ exchange: [UInt8]) {
    guard exchange.count > 3 else { return }
    isDamaged = true
    records.withLock { records in
      guard let key = records.keys.sorted().first, let data = records[key], !data.isEmpty else {
        return
      }
      records[key]?[(Int(exchange[1]) << 8 | Int(exchange[2])) % data.count] = exchange[3]
    }
  }

  private func answer(_ exchange: [UInt8]) {
    var (parts, rest) = ([[UInt8]](), exchange[...])
    while parts.count < 2 {
      let end = rest.indices.first { rest[$0...].starts(with: [10, 10]) } ?? rest.endIndex
      parts.append(expanded(rest[..<end]))
      rest = rest[min(end + 2, rest.endIndex)...]
    }
    reply.withLock { $0 = (parts[1], Array(rest)) }
    guard let request = Self.request(parts[0]) else { return }
    let (head, start) = (RequestHead(request), sent.withLock { $0.count })
    guard let outcome = cache.answer(to: request).outcome else {
      preconditionFailure("an answer has to arrive")
    }
    guard case .success(let answer) = outcome else { return }
    let fields = answer.response.fields
    _ = (answer.status.field(), answer.stamped)
    precondition(
      answer.status.kind != .hit || fields["Age"].map { (0...1 << 31).contains(number($0)) } == true
    )
    guard !isDamaged, let id = fields["Fuzz-Id"].flatMap({ Int($0) }) else { return }
    let source = sent.withLock { $0[id] }
    precondition(source.key == StoreKey.text(head.url), "the answer belongs to another URL")
    guard id < start else { return }
    precondition(source.isReusable, "the answer must not be reused")
    precondition(!head.hasBody && head.isRetrieval, "the request needs an answer of its own")
  }

  private static func request(_ bytes: [UInt8]) -> URLRequest? {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1, let url = URL(string: "http://a.test\(words[1])") else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = String(words[0])
    if words.count > 2 { request.httpBody = Data(words[2].utf8) }
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        request.setValue(String(parts[1]), forHTTPHeaderField: String(parts[0]))
      }
    }
    return request
  }

  /// Parses the reply as the network level does. Two fields of the reply aren't HTTP: `At` is the
  /// time of arrival, and `From` is the URL of a followed redirect.
  private static func response(
    to request: URLRequest, _ reply: (head: [UInt8], body: [UInt8]), at now: TimeSource.Instant,
    _ sent: Lock<[Sent]>
  ) throws -> NetworkResponse {
    var (parser, found) = (HeaderParser(), ResponseHead?.none)
    for line in reply.head.split(separator: 10, omittingEmptySubsequences: false) + [[]] {
      if found == nil { found = try Array(line).withUnsafeBytes { try parser.receive($0) } }
    }
    guard var head = found, let url = request.url else { throw CacheError.notFound }
    let isHead = request.httpMethod == "HEAD"
    var reader = ResponseReader(
      method: request.httpMethod ?? "", maximumSize: 1 << 16, arrivesDecoded: false)
    if (try? reader.begin(head)) != nil {
      _ = try? reply.body.withUnsafeBytes { try reader.append($0) }
      _ = try? reader.finish()
    }
    if let outgoing = try? OutgoingRequest(request) {
      _ = try? Redirect.following(head, of: outgoing, secretFields: [])
    }
    let own = RequestHead(request)
    let from = head.fields["From"].flatMap { URL(string: $0, relativeTo: url)?.absoluteURL } ?? url
    let control = CacheControl(head.fields)
    let isReusable =
      StoreKey.text(from) == StoreKey.text(url) && !own.hasBody
      && (!control.contains("no-store") || control.contains("must-understand")
        || head.fields.contains("CDN-Cache-Control"))
    let id = sent.withLock { sent in
      sent.append(Sent(key: StoreKey.text(url), isReusable: isReusable))
      return sent.count - 1
    }
    head.fields["Fuzz-Id"] = String(id)
    let arrival =
      head.fields["At"].map { TimeSource.Instant(nanoseconds: number($0)) } ?? now
    return NetworkResponse(
      status: head.status, fields: head.fields, body: isHead ? Data() : Data(reply.body), url: from,
      requestTime: now, responseTime: arrival)
  }
}
