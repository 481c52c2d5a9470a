import SwiftUI

/// A scrolling list of the photos.
struct PhotoList: View {
  let library: PhotoLibrary

  var body: some View {
    ScrollView {
      LazyVStack {
        ForEach(library.urls, id: \.self) { url in
          PhotoRow(library: library, url: url)
        }
      }
    }
  }
}

/// A photo, or its placeholder.
struct PhotoRow: View {
  let library: PhotoLibrary
  let url: URL

  var body: some View {
    Group {
      switch library.photos[url] {
      case .shown(let image): Image(decorative: image, scale: 1).resizable().scaledToFit()
      case .missing: Text(library.isOffline ? "Not stored on this device" : "No photo")
      case .loading, nil: ProgressView()
      }
    }
    .frame(height: 240)
    .task(id: url) { await library.show(url) }
    .onDisappear { library.hide(url) }
  }
}
