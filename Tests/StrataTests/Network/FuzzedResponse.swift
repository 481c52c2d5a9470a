import StrataLaws

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// A response that is generated from a seed, with the results that are valid for this response.
struct FuzzedResponse {
  enum Verdict {
    /// Only the whole payload is a valid result.
    case whole
    /// Both the whole payload and a failure are valid results.
    case wholeOrFailure
    /// Only a failure is a valid result.
    case failure
    /// The mutated bytes may have a different meaning, so any result is valid if it arrives in
    /// time.
    case anything
  }

  private(set) var bytes: [UInt8] = []
  private(set) var payload: [UInt8] = []
  private(set) var verdict = Verdict.whole
  /// Whether the connection ends with a TCP reset (RST).
  private(set) var resets = false
  /// The name of the mutation, for counting results by mutation.
  private(set) var mutation = ""

  private var random: SeededGenerator
  private var header = ""
  private var body: [UInt8] = []
  private var coding = Coding.none
  private var framing = Framing.length

  private enum Coding: CaseIterable { case none, gzip, deflate, rawDeflate, twice }
  private enum Framing: CaseIterable { case length, chunks, connection }

  init(stream: Int) {
    random = SeededGenerator(stream: stream)
    let size = random.chance(of: 50) ? 40_000 : 1000
    let letters = Int.random(in: 1...255, using: &random)
    payload = (0..<Int.random(in: 0...size, using: &random)).map { _ in
      UInt8(Int.random(in: 0...letters, using: &random))
    }
    encode()
    let encoded = body
    mutateBody()
    addHeader(length: encoded.count)
    mutateWhole()
  }

  private mutating func encode() {
    coding = Coding.allCases.randomElement(using: &random) ?? .none
    framing = Framing.allCases.randomElement(using: &random) ?? .length
    switch coding {
    case .none: body = payload
    case .gzip: body = BodyEncoder.gzip(payload)
    case .deflate: body = BodyEncoder.deflate(payload)
    case .rawDeflate: body = BodyEncoder.rawDeflate(payload)
    case .twice: body = BodyEncoder.gzip(BodyEncoder.deflate(payload))
    }
  }

  /// Damages an encoded body. A body in raw DEFLATE stays intact, because without a checksum, a
  /// decoder can't detect damaged bytes.
  private mutating func mutateBody() {
    guard coding != .none, coding != .rawDeflate, random.chance(of: 5) else { return }
    let index = body.indices.randomElement(using: &random) ?? 0
    body[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    (mutation, verdict) = ("damaged encoding", .wholeOrFailure)
  }

  private mutating func addHeader(length: Int) {
    if random.chance(of: 5) { header += "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" }
    header += "HTTP/1.1 200 OK\r\n"
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      header +=
        ["X-A: b", "x-c:d", "X-E:", "X-F: \u{E9}", "X-G: a\r\n b", "Date: never"]
        .randomElement(using: &random).map { "\($0)\r\n" } ?? ""
    }
    switch coding {
    case .none: break
    case .gzip: header += "content-encoding: gzip\r\n"
    case .deflate, .rawDeflate: header += "Content-Encoding: Deflate\r\n"
    case .twice: header += "Content-Encoding: deflate\r\nContent-Encoding: x-gzip\r\n"
    }
    switch framing {
    case .length: header += "Content-Length: \(length)\r\n"
    case .chunks: header += "Transfer-Encoding: chunked\r\n"
    case .connection: header += "Connection: close\r\n"
    }
    if framing == .chunks { body = chunked(body) }
  }

  private mutating func chunked(_ body: [UInt8]) -> [UInt8] {
    var (chunks, rest) = ([UInt8](), body[...])
    while !rest.isEmpty {
      let size = Int.random(in: 1...max(1, min(rest.count, 3000)), using: &random)
      let fault = mutation.isEmpty && random.chance(of: 40)
      if fault { (mutation, verdict) = ("wrong chunk size", .failure) }
      let text = fault ? ["zz", "-1", "FFFFFFFFFFFFFFFFF", ""].randomElement(using: &random) : nil
      chunks += Array("\(text ?? String(size, radix: 16))".utf8)
      chunks += Array((random.chance(of: 4) ? ";a=\"b\"\r\n" : "\r\n").utf8)
      chunks += rest.prefix(size) + [13, 10]
      rest = rest.dropFirst(size)
    }
    let trailers = random.chance(of: 3) ? "X-T: 1\r\nContent-Length: 3\r\n" : ""
    return chunks + Array("0\r\n\(trailers)\r\n".utf8)
  }

  private mutating func mutateWhole() {
    let kind = mutation.isEmpty ? Int.random(in: 0...9, using: &random) : 0
    switch kind {
    case 1: addField("Content-Length: 7, 8", "conflicting lengths")
    case 2: addField("Content-Length: \(Self.hugeLength(&random))", "huge length")
    case 3: addField("A: b\0c", "NUL in a field")
    case 4: addField("Transfer-Encoding: gzip", "unknown transfer coding")
    default: break
    }
    bytes = Array("\(header)\r\n".utf8) + body
    switch kind {
    case 5, 6: truncate()
    case 7: flip()
    case 8: replace()
    default: break
    }
    if mutation.isEmpty { mutation = "none" }
  }

  private mutating func addField(_ line: String, _ name: String) {
    header += "\(line)\r\n"
    (mutation, verdict) = (name, .failure)
  }

  /// Cuts off the end of the response. If only the normal end of the connection marks the end of
  /// the body, a truncated body looks complete, so any result is valid.
  private mutating func truncate() {
    let start = bytes.count - body.count
    let count = Int.random(in: 0..<bytes.count, using: &random)
    resets = random.chance(of: 3)
    bytes = Array(bytes.prefix(count))
    mutation = resets ? "reset" : "truncation"
    let hasEnd = count < start || framing != .connection || coding != .none || resets
    verdict = hasEnd ? .failure : .anything
    // If only the final line feed is missing, a client may accept the body, because all chunks have
    // arrived.
    if framing == .chunks, body.count + start - count == 1, !resets { verdict = .wholeOrFailure }
  }

  private mutating func flip() {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 0..<min(bytes.count, 200), using: &random)
      bytes[index] = UInt8.random(in: 0...255, using: &random)
    }
    (mutation, verdict) = ("random bytes in the header", .anything)
  }

  private mutating func replace() {
    if random.chance(of: 2) {
      let targets = [
        "//a%20b/", "//a%00b/", "http://[::1", "/done", "", "?", "#", "//", "http:", "\u{E9}",
        "http://@/", "http://user:pass@/", "//[/", "http://127.0.0.1:1/", "%", "file:///etc/passwd",
        "//127.0.0.1:99999999/", String(repeating: "a/", count: 5000), "http:///done", "\t",
      ]
      let status = [301, 302, 303, 307, 308].randomElement(using: &random) ?? 302
      bytes = Array(
        "HTTP/1.1 \(status) Moved\r\nContent-Length: 0\r\nLocation: \(targets.randomElement(using: &random) ?? "")\r\n\r\n"
          .utf8)
      mutation = "redirect"
    } else {
      bytes = (0..<Int.random(in: 0...500, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(of: 2) { bytes = Array("HTTP/1.1 200 OK\r\n".utf8) + bytes }
      mutation = "random bytes"
    }
    verdict = .anything
  }

  private static func hugeLength(_ random: inout SeededGenerator) -> String {
    [
      "9223372036854775296", "9223372036854775807", "9223372036854775808",
      "18446744073709551615", "18446744073709551616", "-1", "+1", "1e9", "99999999999999999999",
    ].randomElement(using: &random) ?? ""
  }
}
