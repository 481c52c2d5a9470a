/// The style sheet of the page, with the colors of the drawings.
enum PageStyle {
  static let sheet: HTML = """
    :root { \(variables(.light)) }
    @media (prefers-color-scheme: dark) { :root { \(variables(.dark)) } }
    \(layout)
    \(boxes)
    \(charts)
    \(colors)
    """

  private static func variables(_ colors: DrawingColors) -> HTML {
    let plain = [
      ("ground", colors.ground), ("ink", colors.ink), ("quiet", colors.quiet),
      ("box", colors.box), ("edge", colors.edge), ("pool", colors.pool),
      ("pool-ground", colors.poolGround),
    ]
    return HTML((plain + colors.kinds.map { ($0.name, $0.color) }).map { "--\($0.0): \($0.1);" })
  }

  private static let colors = HTML(
    DrawingColors.light.kinds.map { name, _ in
      """
      .level.\(name) { border-left-color: var(--\(name)); }
      .level.\(name) .bar i { background: var(--\(name)); }
      .line.\(name) { stroke: var(--\(name)); }
      .key.\(name)::before { background: var(--\(name)); }
      """
    })

  private static let layout: HTML = """
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1rem; max-width: 1240px; background: var(--ground);
      color: var(--ink); font: 16px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans",
      sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.5rem; margin: 0; }
    h2 { font-size: 1.15rem; margin: 2rem 0 0.6rem; }
    h3 { font-size: 1rem; margin: 0; }
    h3 small { font-weight: normal; color: var(--quiet); }
    p { margin: 0.25rem 0; }
    code, .verbs, .map { font: 0.85rem ui-monospace, Menlo, "DejaVu Sans Mono", Consolas,
      monospace; }
    .quiet, .map, .edge, figcaption, dd span { color: var(--quiet); font-size: 0.9rem; }
    .bad { color: var(--failed); }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr));
      gap: 0.6rem; margin-top: 1rem; }
    .tile { background: var(--box); border: 1px solid var(--edge); border-radius: 6px;
      padding: 0.5rem 0.75rem; display: grid; }
    .tile b { font-size: 1.35rem; font-variant-numeric: tabular-nums; }
    table { border-collapse: collapse; width: 100%; margin-top: 0.75rem; font-size: 0.9rem;
      font-variant-numeric: tabular-nums; }
    th, td { text-align: right; padding: 0.35rem 0.5rem; border-bottom: 1px solid var(--edge);
      vertical-align: top; }
    td { white-space: nowrap; }
    th:first-child, .advice { text-align: left; }
    thead th { color: var(--quiet); font-weight: 600; overflow-wrap: normal; }
    .advice { padding-left: 1.2rem; }
    .advice li { margin: 0.4rem 0; }
    @media (max-width: 760px) {
      table:not(.plain) thead { display: none; }
      table:not(.plain), table:not(.plain) tbody { display: block; }
      table:not(.plain) tr { display: grid; grid-template-columns: 1fr 1fr;
        border: 1px solid var(--edge); border-radius: 6px; margin: 0.6rem 0; padding: 0.4rem; }
      table:not(.plain) th { grid-column: 1 / -1; border: 0; }
      table:not(.plain) td { border: 0; display: flex; justify-content: space-between;
        gap: 0.5rem; }
      td::before { content: attr(data-label); color: var(--quiet); text-align: left; }
    }
    """

  private static let boxes: HTML = """
    .level { background: var(--box); border: 1px solid var(--edge); border-left: 5px solid;
      border-radius: 6px; padding: 0.5rem 0.75rem; }
    .pipeline { max-width: 46rem; }
    .frame { border: 1px dashed var(--quiet); border-radius: 8px; padding: 0.5rem; }
    .frame.pool { border: 1px solid var(--pool); background: var(--pool-ground); }
    .pool > .verbs { color: var(--pool); }
    .edge { display: flex; justify-content: space-between; padding: 0 0.75rem;
      flex-wrap: wrap; }
    .bar { background: var(--ground); border: 1px solid var(--edge); border-radius: 3px;
      height: 0.7rem; margin-top: 0.4rem; overflow: hidden; }
    .bar i { display: block; height: 100%; background: var(--memory); }
    .gauges { display: grid; grid-template-columns: minmax(0, 16rem) 1fr; gap: 0.5rem 1rem;
      margin: 0; }
    .gauges dd { margin: 0; max-width: 44rem; }
    @media (max-width: 760px) { .gauges { grid-template-columns: 1fr; gap: 0.1rem; }
      .gauges dd { margin-bottom: 0.6rem; } }
    """

  private static let charts: HTML = """
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
      gap: 1.5rem; }
    figure { margin: 0; }
    .chart { display: grid; grid-template-columns: 3.8rem 1fr; gap: 0.2rem 0.5rem; }
    .axis { display: flex; flex-direction: column; justify-content: space-between;
      text-align: right; font-size: 0.8rem; color: var(--quiet); line-height: 1; }
    .axis.below { grid-column: 2; flex-direction: row; gap: 1rem; line-height: 1.3; }
    .axis.below span:last-child { text-align: right; }
    .axis.below span:first-child { text-align: left; }
    .plot { position: relative; height: 11rem; border: solid var(--edge); border-width: 0 0 1px 1px; }
    .plot svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
    .line { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; }
    .grid { stroke: var(--edge); stroke-opacity: 0.5; stroke-dasharray: 2 4;
      vector-effect: non-scaling-stroke; }
    .key { margin-left: 0.8rem; white-space: nowrap; }
    .key::before { content: ""; display: inline-block; width: 0.8rem; height: 0.2rem;
      margin-right: 0.3rem; vertical-align: middle; }
    .mark { position: absolute; width: 0.7rem; height: 0.7rem; margin: -0.35rem;
      border: 2px solid var(--ground); border-radius: 50%; background: var(--ink); }
    .mark.knee { background: var(--failed); }
    .mark span { position: absolute; top: 0.6rem; font: 0.8rem/1 system-ui, "DejaVu Sans",
      sans-serif; white-space: nowrap; background: var(--ground); padding: 0 0.1rem; }
    .mark.right span { left: 0.3rem; }
    .mark.left span { right: 0.3rem; }
    .mark.now span { top: auto; bottom: 0.7rem; }
    .figures span { white-space: nowrap; }
    details { margin: 0.4rem 0 0 4.3rem; font-size: 0.9rem; }
    summary { cursor: pointer; }
    """
}
