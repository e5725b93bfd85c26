/** Elements of HTML, SVG and MathML that AgentMark accepts in any case (ADR 031). `html` and `param` are not among them. */
const names = `
  a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col colgroup data datalist
  dd del details dfn dialog div dl dt em embed fencedframe fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup hr
  i iframe img input ins kbd label legend li link main map mark math menu meta meter nav noscript object ol optgroup option output p picture
  pre progress q rp rt ruby s samp script search section select selectedcontent slot small source span strike strong style sub summary sup
  svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr`;

const elements: ReadonlySet<string> = new Set(names.trim().split(/\s+/));

export const isHtmlElement = (name: string): boolean => elements.has(name.toLowerCase());
