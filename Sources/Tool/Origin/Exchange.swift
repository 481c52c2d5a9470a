import Foundation

/// The method and path of an HTTP/1 request.
struct OriginRequest: Equatable {
  let method: String
  let path: String

  /// Parses the head of a request, which is the part before the first empty line. Returns `nil` if
  /// the bytes aren't an HTTP/1 request.
  init?(_ head: some Sequence<UInt8>) {
    let lines = String(decoding: Array(head), as: UTF8.self).components(separatedBy: "\r\n")
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
      return nil
    }
    let path = words[1].prefix { $0 != "?" }
    guard let plain = String(path).removingPercentEncoding else { return nil }
    method = String(words[0])
    self.path = plain
  }
}

/// An HTTP/1.1 response that closes the connection.
struct OriginResponse: Equatable {
  let status: String
  let body: String

  /// Creates the response to a request.
  init(to request: OriginRequest?, from pages: Pages) {
    guard let request else {
      self.init("400 Bad Request", "This isn't an HTTP request.\n")
      return
    }
    guard request.method == "GET" else {
      self.init("405 Method Not Allowed", "This origin answers only GET requests.\n")
      return
    }
    guard let page = pages[request.path] else {
      self.init("404 Not Found", "There is no such page.\n")
      return
    }
    self.init("200 OK", page)
  }

  private init(_ status: String, _ body: String) {
    self.status = status
    self.body = body
  }

  /// The encoded response.
  var bytes: [UInt8] {
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/plain; charset=utf-8",
      "Content-Length: \(body.utf8.count)", "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
