import StrataNetwork

/// The rules for the fields of a stored response (RFC 9111, sections 3.1 and 3.2).
enum StoredFields {
  /// Returns the fields that may be stored, in order.
  static func storable(_ fields: HeaderFields, for policy: HTTPCachePolicy) -> HeaderFields {
    let control = policy.directives(of: fields).control
    let excluded =
      control.fieldNames("no-cache") + (policy.isShared ? control.fieldNames("private") : [])
    return fields.endToEnd.without(excluded)
  }

  /// Returns the stored fields, updated with the fields of a newer response.
  ///
  /// The fields of the newer response replace the stored ones with the same names. Only
  /// `Content-Length` and the fields about the encoding and the range of the stored bytes remain
  /// (RFC 9111, section 3.2).
  static func updated(
    _ stored: HeaderFields, by newer: HeaderFields, for policy: HTTPCachePolicy
  ) -> HeaderFields {
    let update = Array(
      storable(newer, for: policy).without(["Content-Length", "Content-Encoding", "Content-Range"]))
    // A 304 without `Age` comes from the origin itself, so the stored `Age` no longer applies.
    var result = stored.without(["Age"] + update.map(\.name))
    result.append(contentsOf: update)
    return result
  }
}
