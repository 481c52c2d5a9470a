import Strata

/// The rules for the fields of a stored response (RFC 9111, sections 3.1 and 3.2).
enum StoredFields {
  /// Returns the fields that may be stored, in their order.
  static func storable(_ fields: HTTPFields, for policy: HTTPCachePolicy) -> HTTPFields {
    let control = policy.directives(of: fields).control
    let excluded =
      control.fieldNames("no-cache") + (policy.isShared ? control.fieldNames("private") : [])
    return fields.endToEnd.without(excluded)
  }

  /// Returns stored fields updated by the fields of a newer response.
  ///
  /// A field of the newer response replaces all fields of its name. `Content-Length`, and the
  /// fields that describe how the stored bytes were encoded or cut, remain (section 3.2).
  static func updated(
    _ stored: HTTPFields, by newer: HTTPFields, for policy: HTTPCachePolicy
  ) -> HTTPFields {
    let update = Array(
      storable(newer, for: policy).without(["Content-Length", "Content-Encoding", "Content-Range"]))
    // A 304 without `Age` comes from the origin itself, so it replaces the stored age.
    var result = stored.without(["Age"] + update.map(\.name))
    result.append(contentsOf: update)
    return result
  }
}
