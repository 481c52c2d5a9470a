#if canImport(FoundationNetworking)
  // `URLRequest` is part of Foundation on Apple's platforms. On other platforms, this import makes
  // `URLRequest` and `URLSession` visible to every file of Strata and to programs that import Strata.
  @_exported import FoundationNetworking
#endif
