import StrataVerbs

/// The read modes that the laws check.
public struct ReadModes: Sendable {
  /// A function that returns a cache whose gets use another read mode, such as `{ $0.stored }`.
  public typealias Mode = @Sendable (Cache<Int, Int>) -> Cache<Int, Int>

  var stored: Mode = { $0.stored }
  var reloading: Mode = { $0.reloading }
  var reloadingOrStored: Mode = { $0.reloadingOrStored }
  var peeking: Mode = { $0.peeking }
  var expire: @Sendable (Cache<Int, Int>, Int?) -> Promise<Void> = { $0.operations.expire($1) }

  /// Strata's read modes.
  public init() {}

  /// Returns the modes with another `stored`.
  public func stored(_ mode: @escaping Mode) -> ReadModes { with { $0.stored = mode } }

  /// Returns the modes with another `reloading`.
  public func reloading(_ mode: @escaping Mode) -> ReadModes { with { $0.reloading = mode } }

  /// Returns the modes with another `reloadingOrStored`.
  public func reloadingOrStored(_ mode: @escaping Mode) -> ReadModes {
    with { $0.reloadingOrStored = mode }
  }

  /// Returns the modes with another `peeking`.
  public func peeking(_ mode: @escaping Mode) -> ReadModes { with { $0.peeking = mode } }

  /// Returns the modes with another `expire`. It expires one key, or all if the key is `nil`.
  public func expire(
    _ expire: @escaping @Sendable (Cache<Int, Int>, Int?) -> Promise<Void>
  ) -> ReadModes {
    with { $0.expire = expire }
  }

  private func with(_ change: (inout ReadModes) -> Void) -> ReadModes {
    var modes = self
    change(&modes)
    return modes
  }
}
