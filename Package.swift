// swift-tools-version: 6.2
import PackageDescription

/// A playground page is an executable target as well, so that `swift run page-NAME` runs on Linux
/// what Xcode shows on a Mac.
func page(_ name: String, _ folder: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Strata"],
    path: "Playgrounds/Strata.playground/Pages/\(folder).xcplaygroundpage")
}

let package = Package(
  name: "Strata",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Strata", targets: ["Strata"]),
    .executable(name: "strata-tool", targets: ["strata-tool"]),
  ],
  targets: [
    .target(name: "Strata"),
    .executableTarget(name: "strata-tool", dependencies: ["Strata"], path: "Sources/Tool"),
    page("page-layers", "Layers"),
    page("page-keys-and-values", "KeysAndValues"),
    .testTarget(name: "StrataTests", dependencies: ["Strata"], exclude: ["Diagnostics"]),
    .testTarget(name: "ToolTests", dependencies: ["strata-tool"]),
  ],
  swiftLanguageModes: [.v6]
)
