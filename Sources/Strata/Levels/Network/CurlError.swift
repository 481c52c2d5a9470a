import Foundation

/// An error below HTTP, as libcurl reports it.
struct CurlError: LocalizedError {
  /// A `CURLcode`.
  let code: Int32
  let text: String

  var errorDescription: String? { "\(text) (libcurl \(code))" }
}
