import Foundation
import Strata
import StrataHTTP

/// The rules that decide which responses the proxy sends on while they arrive.
///
/// Only complete responses can be stored, so the proxy holds the body of a response that it might
/// store. It streams the responses that it wouldn't store: those that the rules exclude, and those
/// that a client must see before their end.
enum ProxyStreaming {
  /// Whether to stream the body of a response.
  static func isWanted(
    for request: URLRequest, _ response: NetworkResponse, _ policy: HTTPCachePolicy
  ) -> Bool {
    if isEndless(response.fields) { return true }
    var whole = response
    // The range of a partial response can be checked only after its body has arrived.
    if whole.status == 206 { whole.status = 200 }
    return policy.refusal(to: whole, for: request) != nil
  }

  /// Whether a client needs each piece of the body immediately. Origins usually state this in the
  /// field `X-Accel-Buffering`.
  private static func isEndless(_ fields: HeaderFields) -> Bool {
    if fields["X-Accel-Buffering"]?.lowercased() == "no" { return true }
    let type = (fields["Content-Type"] ?? "").prefix { $0 != ";" }
    return types.contains(type.trimmingCharacters(in: .whitespaces).lowercased())
  }

  private static let types: Set<String> = [
    "text/event-stream", "multipart/x-mixed-replace", "application/x-ndjson",
    "application/stream+json", "application/json-seq", "application/grpc",
  ]
}
