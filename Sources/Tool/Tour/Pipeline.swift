import Foundation
import Strata
import StrataExplain

/// The pipeline of the tour: memory, disk, and network in one expression.
struct Pipeline: Sendable {
  let cache: Cache<URL, String>

  /// Creates the pipeline with a new memory level.
  ///
  /// Only the disk level has a codec. So when a record can't be decoded, the disk level fails, the
  /// network level returns the value, and a back-fill replaces the record.
  ///
  /// - Parameters:
  ///   - directory: The directory of the disk level. Pipelines with the same directory share
  ///     records.
  ///   - codec: The codec of the records.
  ///   - observer: The observer of all stages.
  init(
    in directory: URL, codec: Codec<Data, String> = .utf8, observer: CacheObserver? = nil
  ) {
    self.init(
      in: directory, codec: codec, watch: observer.map { observer in { $0.observed(by: observer) } }
    )
  }

  /// Creates the pipeline with a recorder that observes all stages.
  init(in directory: URL, recorder: Recorder) {
    self.init(in: directory, codec: .utf8) { $0.observed(by: recorder) }
  }

  private init(
    in directory: URL, codec: Codec<Data, String>,
    watch: ((Cache<URL, String>) -> Cache<URL, String>)?
  ) {
    let memory: Cache<URL, String> = .memory()
    let disk: Cache<URL, String> = \.absoluteString <^> .disk("tour", in: directory) <*> codec
    let network: Fetcher<URL, String> = .network() <*> .utf8

    guard let watch else {
      cache = memory + (disk + network).pooled()
      return
    }
    cache = watch(
      memory.named(Stage.memory.rawValue)
        + (disk.named(Stage.disk.rawValue) + network.named(Stage.network.rawValue)).pooled())
  }
}
