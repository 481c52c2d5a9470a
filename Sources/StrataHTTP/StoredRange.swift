import Foundation
import StrataNetwork

/// The position of a stored part within the complete representation (RFC 9111, section 3.3).
struct StoredRange: Sendable, Equatable {
  /// The position of the first byte.
  var first: Int
  /// The size of the representation in bytes, or `nil` if the size is unknown.
  var complete: Int?
  /// The `Range` field of the request that loaded the part. Later requests with an equal field
  /// select the same part.
  var asked: String?

  init(first: Int, complete: Int?, asked: String? = nil) {
    (self.first, self.complete, self.asked) = (first, complete, asked)
  }

  /// Whether a body of the given length fits at this position: within the representation, and
  /// within the supported positions.
  func admits(length: Int) -> Bool {
    let end = complete ?? ByteRange.greatest
    return first >= 0 && length >= 0 && end <= ByteRange.greatest && first < end
      && length <= end - first
  }

  /// Reads a `Content-Range` field: `bytes 0-4/10` or `bytes 0-4/*`.
  ///
  /// Returns `nil` if the field isn't valid (RFC 9110, section 14.4), or if the body is longer than
  /// its range. It also returns `nil` if the body consists of several parts with their own ranges.
  /// If the body is shorter than the range, only the bytes that have arrived count.
  init?(_ fields: HeaderFields, length: Int) {
    let values = fields.values(of: "Content-Range")
    let type = fields["Content-Type"] ?? ""
    guard values.count == 1, !type.lowercased().hasPrefix("multipart/byteranges") else {
      return nil
    }
    let words = values[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, HTTPSyntax.equal(String(words[0]), "bytes") else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    let ends = (parts.first ?? "").split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, ends.count == 2, let first = ByteRange.position(ends[0]),
      let last = ByteRange.position(ends[1]), first <= last, last < ByteRange.greatest,
      (1...last - first + 1).contains(length)
    else { return nil }
    let complete = parts[1] == "*" ? nil : ByteRange.position(parts[1])
    guard parts[1] == "*" || complete.map({ $0 > last && $0 < ByteRange.greatest }) == true
    else { return nil }
    self.init(first: first, complete: complete)
    guard admits(length: length) else { return nil }
  }
}

extension StoredResponse {
  /// The size of the representation in bytes, or `nil` if the size is unknown.
  var completeLength: Int? { range.map(\.complete) ?? response.body.count }

  /// The positions of the stored bytes in the representation.
  var positions: Range<Int> {
    let first = range?.first ?? 0
    return first..<first + response.body.count
  }

  /// Returns the positions that a range selects, or `nil` if some of the selected bytes aren't
  /// stored.
  func stored(_ range: ByteRange) -> Range<Int>? {
    guard let length = completeLength else {
      guard case .from(let first, let last?) = range, first >= positions.lowerBound,
        last < positions.upperBound
      else { return nil }
      return first..<last + 1
    }
    guard let selected = range.positions(in: length), selected.lowerBound >= positions.lowerBound,
      selected.upperBound <= positions.upperBound
    else { return nil }
    return selected
  }

  /// Returns the bytes at the given positions. All of them must be stored.
  func bytes(_ selected: Range<Int>) -> Data {
    let start = response.body.startIndex - positions.lowerBound
    return Data(response.body[start + selected.lowerBound..<start + selected.upperBound])
  }
}
