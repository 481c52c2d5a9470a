// The tables of the memory level, and times in nanoseconds, need 64-bit words.
#if _pointerBitWidth(_32)
  #error("Strata needs a 64-bit platform. On watchOS, build for arm64 instead of arm64_32.")
#endif
