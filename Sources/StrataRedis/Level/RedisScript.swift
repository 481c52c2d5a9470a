import Strata

/// A script that the server runs as one step.
struct RedisScript: Sendable {
  let text: String
  /// The SHA-1 of the text, which identifies the script on the server.
  let digest: String

  /// Returns the record of a key, or stores a lease if there is no record of the current epoch.
  ///
  /// Keys: the epoch, and the record. Arguments: an epoch to begin if there is none, the token and
  /// the trailer of the lease, its lifetime in milliseconds, and a record that counts as absent.
  /// Returns the epoch and the record.
  static let lease = RedisScript(
    text: """
      local epoch = redis.call('GET', KEYS[1])
      if not epoch then epoch = ARGV[1] redis.call('SET', KEYS[1], epoch) end
      local record = redis.pcall('GET', KEYS[2])
      if type(record) == 'string' and #record >= 33 and string.sub(record, -33, -26) == epoch
        and record ~= ARGV[5] then return {epoch, record} end
      record = ARGV[2] .. epoch .. ARGV[3]
      redis.call('SET', KEYS[2], record, 'PX', ARGV[4])
      return {epoch, record}
      """,
    digest: "a5538d8e46bddd418d0044ab267a2c3144a4c76e")

  /// Replaces a lease with a value, if the lease still exists.
  ///
  /// Keys: the epoch, and the record. Arguments: the token and the trailer of the lease, the value
  /// and its trailer, and the value's lifetime in milliseconds, or an empty string for no deadline.
  /// Returns 1 or 0.
  static let fill = RedisScript(
    text: """
      local epoch = redis.call('GET', KEYS[1])
      if not epoch or redis.pcall('GET', KEYS[2]) ~= ARGV[1] .. epoch .. ARGV[2] then return 0 end
      local record = ARGV[3] .. epoch .. ARGV[4]
      if ARGV[5] == '' then redis.call('SET', KEYS[2], record)
      else redis.call('SET', KEYS[2], record, 'PX', ARGV[5]) end
      return 1
      """,
    digest: "7da587898aeabd8f8644691031fe8f5f4975804a")
}

extension RedisConnection {
  /// Runs a script with two keys. The server receives its text only if the script isn't loaded
  /// there.
  func run(_ script: RedisScript, keys: [[UInt8]], _ arguments: [[UInt8]]) -> Promise<RedisReply> {
    @Sendable func request(_ command: String, _ script: String) -> [[UInt8]] {
      [Array(command.utf8), Array(script.utf8), Array("\(keys.count)".utf8)] + keys + arguments
    }
    return command(request("EVALSHA", script.digest), isRepeatable: true).recover { error in
      guard case RedisError.server("NOSCRIPT", _) = error else { throw error }
      return self.command(request("EVAL", script.text), isRepeatable: true)
    }
  }
}
