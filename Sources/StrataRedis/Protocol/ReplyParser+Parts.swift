extension ReplyParser /* : lists in parts */ {
  /// A reply, or a part of a list whose elements are wanted as soon as they arrive.
  enum Part: Equatable {
    case whole(RedisReply)
    /// The beginning of a list with at least one element.
    case header(count: Int)
    case element(RedisReply)
  }

  /// Returns the next reply or the next part of a list, or `nil` if it hasn't arrived completely.
  ///
  /// - Parameter splitsList: Whether to return the elements of a list one by one. Nested lists are
  ///   whole.
  mutating func nextPart(splitsList: @autoclosure () -> Bool) throws(RedisError) -> Part? {
    guard elements == 0 else {
      guard let element = try next() else { return nil }
      if case .push = element { return .whole(element) }
      elements -= 1
      return .element(element)
    }
    guard frames.isEmpty, body == nil, splitsList(), let count = try listHeader() else {
      return try next().map { .whole($0) }
    }
    elements = count
    return .header(count: count)
  }

  /// Reads the header of a list that isn't empty, or returns `nil` if the next reply has another
  /// type.
  private mutating func listHeader() throws(RedisError) -> Int? {
    guard position < buffer.count, buffer[position] == UInt8(ascii: "*"), let line = try line()
    else { return nil }
    let count = try integer(line.dropFirst())
    guard (1...Int64(limits.bytes / 16)).contains(count) else {
      position = line.lowerBound  // An empty list, or an invalid length.
      searched = position
      return nil
    }
    return Int(count)
  }

  /// Whether a line is the usual reply to a write, which needs no memory.
  func isOK(_ text: Range<Int>) -> Bool {
    text.count == 2 && buffer[text.lowerBound] == 79 && buffer[text.lowerBound + 1] == 75
  }
}
