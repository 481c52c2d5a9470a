import Foundation
import SwiftUI

/// An app that shows a list of photos.
///
/// To run the app, create an app project in Xcode, add the package Strata, and replace the
/// project's Swift files with the files in this directory.
@main
struct PhotosApp: App {
  @State private var library = PhotoLibrary(
    urls: (1...200).compactMap { URL(string: "https://picsum.photos/id/\($0)/1600/1200") })

  var body: some Scene {
    WindowGroup { PhotoList(library: library) }
  }
}
