// says: use of 'print' refers to instance method rather than global function
import Strata

extension CacheObserver {
  static var failures: CacheObserver {
    CacheObserver { event in
      if case .failure(let error) = event.outcome { print("\(event.stage): \(error)") }
    }
  }
}
