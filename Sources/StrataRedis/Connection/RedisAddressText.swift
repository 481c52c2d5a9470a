import Foundation
import StrataCore

/// The parts of an address. Parts that would have no effect are errors. Errors don't quote parts,
/// because if a password contains a forbidden character, any part may belong to it.
enum RedisAddressText {
  /// Checks that the user name and the password contain no character that would end them early.
  ///
  /// Otherwise, `redis://:a/b@host` would mean the host `:a` with the database `b@host`.
  static func checkSeparators(
    of parts: URLReference, _ authority: URLAuthority
  ) throws(RedisError) {
    let rest = parts.path + (parts.query ?? []) + (parts.fragment ?? [])
    let isSplit = rest.contains(UInt8(ascii: "@"))
    guard !isSplit, authority.userInfo?.contains(UInt8(ascii: "@")) != true else {
      throw .invalidAddress(
        "its user name or its password has a character that ends it early; "
          + "write / as %2F, # as %23, ? as %3F, and @ as %40")
    }
    guard parts.fragment == nil else {
      throw .invalidAddress("it has a fragment; write # as %23 in a password")
    }
  }

  static func endpoint(of authority: URLAuthority) throws(RedisError) -> RedisAddress.Endpoint {
    guard !authority.host.isEmpty else { throw .invalidAddress("it has no host") }
    var checked = authority
    guard !checked.host.contains(UInt8(ascii: ":")) || checked.host[0] == UInt8(ascii: "[") else {
      throw .invalidAddress("its IPv6 host has no brackets; write redis://[::1]:6379")
    }
    guard checked.checkHost() == nil else {
      throw .invalidAddress("its host isn't a host name or an IPv6 address in brackets")
    }
    guard authority.portFault == nil, let port = UInt16(exactly: authority.portNumber ?? 6379)
    else { throw .invalidAddress("its port isn't from 1 to 65535") }
    let name = String(decoding: checked.host, as: UTF8.self)
    let host = name.utf8.first == UInt8(ascii: "[") ? String(name.dropFirst().dropLast()) : name
    return .tcp(host: host, port: port)
  }

  static func path(of parts: URLReference) throws(RedisError) -> String {
    guard parts.fragment == nil else {
      throw .invalidAddress("it has a fragment; write # as %23 in a path")
    }
    let path = URLBytes.unescaped(parts.path)
    guard path.first == UInt8(ascii: "/"), path.count < 104, !path.contains(0),
      let text = String(validating: path, as: UTF8.self)
    else {
      throw .invalidAddress("its path isn't absolute, is longer than 103 bytes, or isn't text")
    }
    return text
  }

  /// Returns the user name and the password, or `nil` for each that is empty.
  static func credentials(
    of authority: URLAuthority
  ) throws(RedisError) -> (user: String?, password: Secret?) {
    guard let info = authority.userInfo, let (user, password) = authority.credentials else {
      return (nil, nil)
    }
    guard URLBytes.hasValidEscapes(info) else {
      throw .invalidAddress("its user name or its password has a percent sign; write % as %25")
    }
    guard let name = String(validating: user, as: UTF8.self),
      let word = String(validating: password ?? [], as: UTF8.self)
    else { throw .invalidAddress("its user name or its password isn't UTF-8") }
    guard password?.isEmpty == false || name.isEmpty else {
      throw .invalidAddress(
        "it has a user name without a password; write redis://:PASSWORD@HOST for a password alone")
    }
    return (name.isEmpty ? nil : name, word.isEmpty ? nil : Secret(word))
  }

  /// Returns the number of the database, which is in the path or in the query.
  static func database(
    of parts: URLReference, hasPath: Bool
  ) throws(RedisError) -> Int {
    var names: [[UInt8]] = []
    if hasPath {
      let path = parts.path.split(separator: UInt8(ascii: "/"))
      if !path.isEmpty { names.append(Array(path.joined(separator: [UInt8(ascii: "/")]))) }
    }
    for item in (parts.query ?? []).split(separator: UInt8(ascii: "&")) {
      let pair = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: URLBytes.unescaped(pair[0]), as: UTF8.self)
      guard ["database", "db"].contains(name) else {
        throw .invalidAddress("its query has a parameter other than database or db")
      }
      names.append(pair.count > 1 ? Array(pair[1]) : [])
    }
    guard let first = names.first else { return 0 }
    guard names.allSatisfy({ $0 == first }) else {
      throw .invalidAddress("it names several databases")
    }
    let isNumber = !first.isEmpty && first.allSatisfy { (48...57).contains($0) }
    guard isNumber, let number = Int(String(decoding: first, as: UTF8.self)) else {
      throw .invalidAddress("its database isn't a number")
    }
    return number
  }
}
