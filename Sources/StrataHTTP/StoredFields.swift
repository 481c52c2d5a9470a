import Strata

/// The rules for the fields of a stored response (RFC 9111, sections 3.1 and 3.2).
enum StoredFields {
  /// The fields that concern one connection (RFC 9110, section 7.6.1), or a proxy.
  static let hopByHop = [
    "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
  ]

  /// Returns the fields that may be stored, in their order.
  static func storable(_ fields: HTTPFields, for policy: HTTPCachePolicy) -> HTTPFields {
    let control = policy.directives(of: fields).control
    let excluded =
      hopByHop + fields.elements(of: "Connection") + control.fieldNames("no-cache")
      + (policy.isShared ? control.fieldNames("private") : [])
    return HTTPFields(
      fields.filter { field in !excluded.contains { HTTPSyntax.equal($0, field.name) } })
  }

  /// Returns stored fields updated by the fields of a newer response.
  ///
  /// A field of the newer response replaces all fields of its name. `Content-Length`, and the
  /// fields that describe how the stored bytes were encoded or cut, remain (section 3.2).
  static func updated(
    _ stored: HTTPFields, by newer: HTTPFields, for policy: HTTPCachePolicy
  ) -> HTTPFields {
    let fixed = ["Content-Length", "Content-Encoding", "Content-Range"]
    let update = storable(newer, for: policy).filter { field in
      !fixed.contains { HTTPSyntax.equal($0, field.name) }
    }
    let kept = stored.filter { field in
      // A 304 without `Age` is the origin's own, and replaces the stored age.
      !HTTPSyntax.equal(field.name, "Age")
        && !update.contains { HTTPSyntax.equal($0.name, field.name) }
    }
    return HTTPFields(kept + update)
  }
}
