import Foundation

/// An error that libcurl reports, for example a failed connection.
struct CurlError: LocalizedError {
  /// A `CURLcode`.
  let code: Int32
  let text: String

  var errorDescription: String? { "\(text) (libcurl \(code))" }
}
