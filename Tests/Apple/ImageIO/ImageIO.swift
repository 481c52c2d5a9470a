@_exported import CoreGraphics
import Foundation
import StandInFoundation

// The stand-in reads and writes only the signature and the image size of a PNG file.

private let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
private let header: [UInt8] = signature + [0, 0, 0, 13] + Array("IHDR".utf8)

/// https://developer.apple.com/documentation/imageio/cgimagesource
public final class CGImageSource {
  let size: (width: Int, height: Int)?

  init(_ data: NSData) {
    let bytes = [UInt8](Data(referencing: data))
    guard bytes.count >= 24, bytes.starts(with: header) else {
      size = nil
      return
    }
    func number(_ slice: ArraySlice<UInt8>) -> Int { slice.reduce(0) { $0 << 8 | Int($1) } }
    size = (number(bytes[16..<20]), number(bytes[20..<24]))
  }
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcecreatewithdata(_:_:)
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource?
{
  CGImageSource(data)
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcecreateimageatindex(_:_:_:)
public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  index == 0 ? isrc.size.map { CGImage(standInWidth: $0.width, height: $0.height) } : nil
}

/// https://developer.apple.com/documentation/imageio/cgimagesourcecreatethumbnailatindex(_:_:_:)
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  guard index == 0, let size = isrc.size else { return nil }
  let limit = options?[kCGImageSourceThumbnailMaxPixelSize] as? Int ?? .max
  let longest = max(size.width, size.height)
  guard longest > limit else { return CGImage(standInWidth: size.width, height: size.height) }
  return CGImage(
    standInWidth: size.width * limit / longest, height: size.height * limit / longest)
}

/// https://developer.apple.com/documentation/imageio/kcgimagesourcecreatethumbnailfromimagealways
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "always"
/// https://developer.apple.com/documentation/imageio/kcgimagesourcecreatethumbnailwithtransform
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailWithTransform: CFString = "transform"
/// https://developer.apple.com/documentation/imageio/kcgimagesourcethumbnailmaxpixelsize
public nonisolated(unsafe) let kCGImageSourceThumbnailMaxPixelSize: CFString = "size"
/// https://developer.apple.com/documentation/imageio/kcgimagesourceshouldcacheimmediately
public nonisolated(unsafe) let kCGImageSourceShouldCacheImmediately: CFString = "immediately"

/// https://developer.apple.com/documentation/imageio/cgimagedestination
public final class CGImageDestination {
  let data: NSMutableData
  var image: CGImage?

  init(_ data: NSMutableData) { self.data = data }
}

/// https://developer.apple.com/documentation/imageio/cgimagedestinationcreatewithdata(_:_:_:_:)
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  CGImageDestination(data)
}

/// https://developer.apple.com/documentation/imageio/cgimagedestinationaddimage(_:_:_:)
public func CGImageDestinationAddImage(
  _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
  idst.image = image
}

/// https://developer.apple.com/documentation/imageio/cgimagedestinationfinalize(_:)
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
  guard let image = idst.image else { return false }
  idst.data.append(Data(header))
  for number in [image.width, image.height] {
    idst.data.append(Data((0..<4).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }))
  }
  return true
}
