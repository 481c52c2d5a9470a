@_exported import CoreGraphics
@_exported import StandInFoundation

// The stand-ins declare types, but have no behavior.
// https://developer.apple.com/documentation/swiftui

/// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
  public var body: Never { fatalError("This view is a stand-in.") }
}

/// A view whose body is never read. The protocol is part of the stand-in, not of SwiftUI.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  /// A part of the stand-in.
  public var body: Never { fatalError("This view is a stand-in.") }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
}

/// A part of the stand-in.
public struct ConditionalContent<First: View, Second: View>: PrimitiveView {
  nonisolated init() {}
}

/// https://developer.apple.com/documentation/swiftui/group
public struct Group<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

/// https://developer.apple.com/documentation/swiftui/scrollview
public struct ScrollView<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

/// https://developer.apple.com/documentation/swiftui/lazyvstack
public struct LazyVStack<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

/// https://developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

/// https://developer.apple.com/documentation/swiftui/text
public struct Text: PrimitiveView {
  public init<S: StringProtocol>(_ content: S) {}
}

/// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: PrimitiveView {
  public init() {}
}

/// https://developer.apple.com/documentation/swiftui/progressview
public struct ProgressView<Label: View, CurrentValueLabel: View>: PrimitiveView {
  public init() where Label == EmptyView, CurrentValueLabel == EmptyView {}
}

/// https://developer.apple.com/documentation/swiftui/image
public struct Image: PrimitiveView {
  /// https://developer.apple.com/documentation/swiftui/image/init(decorative:scale:orientation:)
  public init(decorative cgImage: CGImage, scale: CGFloat) {}
  /// https://developer.apple.com/documentation/swiftui/image/resizable(capinsets:resizingmode:)
  public func resizable() -> Image { self }
}

/// The result of a view modifier. The type is part of the stand-in, not of SwiftUI.
public struct ModifiedView: PrimitiveView {}

extension View {
  /// https://developer.apple.com/documentation/swiftui/view/scaledtofit()
  public nonisolated func scaledToFit() -> some View { modified }

  /// https://developer.apple.com/documentation/swiftui/view/frame(width:height:alignment:)
  public nonisolated func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View {
    modified
  }

  /// https://developer.apple.com/documentation/swiftui/view/frame()
  @available(*, deprecated, message: "Pass a width or a height.")
  public nonisolated func frame() -> some View { modified }

  /// https://developer.apple.com/documentation/swiftui/view/task(id:priority:_:)
  ///
  /// The closure inherits the actor isolation of the view's body. Newer SDKs replace `@Sendable`
  /// with `sending`, which is less strict.
  public nonisolated func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { modified }

  /// https://developer.apple.com/documentation/swiftui/view/ondisappear(perform:)
  public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View { modified }

  nonisolated var modified: ModifiedView { fatalError("This view is a stand-in.") }
}

/// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

/// https://developer.apple.com/documentation/swiftui/scenebuilder
@resultBuilder
public struct SceneBuilder {
  public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
  public var body: Never { fatalError("This scene is a stand-in.") }

  public init(@ViewBuilder content: @escaping () -> Content) {}
}

/// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  /// https://developer.apple.com/documentation/swiftui/app/main()
  @MainActor @preconcurrency public static func main() { _ = Self() }
}

/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper
public struct State<Value> {
  private let initial: Value

  public init(wrappedValue value: Value) { initial = value }

  /// https://developer.apple.com/documentation/swiftui/state/wrappedvalue
  public var wrappedValue: Value {
    get { initial }
    nonmutating set {}
  }
}
