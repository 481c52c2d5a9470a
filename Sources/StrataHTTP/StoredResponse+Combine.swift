import Foundation
import StrataNetwork

extension StoredResponse {
  /// Returns the bytes of this response, extended by a part that overlaps or adjoins it. The
  /// overlapping bytes are equal, because both responses have the same strong entity tag.
  func body(extendedBy part: StoredResponse) -> Data {
    let (mine, other) = (positions, part.positions)
    var bytes = Data()
    if other.lowerBound < mine.lowerBound {
      bytes += part.bytes(other.lowerBound..<mine.lowerBound)
    }
    bytes += response.body
    if other.upperBound > mine.upperBound {
      bytes += part.bytes(mine.upperBound..<other.upperBound)
    }
    return bytes
  }

  /// Sets the position of the body within the representation. If the body is complete, the status
  /// becomes 200.
  mutating func mark(first: Int, complete: Int?) {
    let count = response.body.count
    guard first > 0 || count != complete else {
      range = nil
      response.status = 200
      response.fields["Content-Range"] = nil
      response.fields["Content-Length"] = String(count)
      return
    }
    range = StoredRange(first: first, complete: complete)
    let total = complete.map(String.init) ?? "*"
    response.fields["Content-Range"] = "bytes \(first)-\(first + count - 1)/\(total)"
    response.fields["Content-Length"] = String(count)
  }
}
