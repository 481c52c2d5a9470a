@_exported import StrataApple
@_exported import StrataCore
@_exported import StrataDisk
@_exported import StrataNetwork
@_exported import StrataVerbs
