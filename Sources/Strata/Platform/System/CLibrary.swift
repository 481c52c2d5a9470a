// Foundation exports the C library of each platform except Android's. This import makes the C
// library visible to every file of Strata and to its users, so no other file needs the condition.
#if canImport(Android)
  @_exported import Android
#endif
