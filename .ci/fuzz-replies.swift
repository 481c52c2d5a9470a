import Foundation

/// Parses generated replies twice: first as a whole, and then in pieces. The first byte of the
/// input determines the size of the pieces.
///
/// The two passes must return the same replies. If one pass fails, the other pass must fail at the
/// same reply.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  guard let first = bytes.first else { return -1 }
  let content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
  let (whole, parts) = (
    replies(content, by: max(1, count)), replies(content, by: 1 + Int(first % 16))
  )
  precondition(whole == parts || "\(whole)" == "\(parts)")  // NaN isn't equal to itself.
  return 0
}

private func replies(_ bytes: UnsafeRawBufferPointer, by size: Int) -> [RedisReply] {
  var (parser, replies, start) = (ReplyParser(), [RedisReply](), 0)
  while start < bytes.count {
    let end = min(start + size, bytes.count)
    parser.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    start = end
    do { while let reply = try parser.next() { replies.append(reply) } } catch { break }
  }
  return replies
}
