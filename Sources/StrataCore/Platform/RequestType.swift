#if canImport(FoundationNetworking)
  // `URLRequest` is part of Foundation on Apple's platforms. On other platforms, every file of
  // Strata and every program that imports Strata sees `URLRequest` and `URLSession` because of this
  // import.
  @_exported import FoundationNetworking
#endif
