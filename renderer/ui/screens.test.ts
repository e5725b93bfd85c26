import { expect, it } from 'vitest';

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const sourceFiles = Object.entries(sources).filter(([path]) => !path.endsWith('.test.ts'));

/** What a screen may not contain, and why. */
const banned: [string, RegExp][] = [
  ['a raw colour: use a token', /#[0-9a-f]{3}(?:[0-9a-f]{3})?(?:[0-9a-f]{2})?\b|\brgba?\(|\bhsla?\(/i],
  ['a raw size: use a token', /\[[\d.]+(?:px|rem|em)\]|['"`][\d.]+px/],
  ['raw HTML: trace text is hostile, use text nodes', /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML/],
  ['a default export: use named exports', /^export default/m],
];

for (const [what, pattern] of banned) {
  it(`no file writes ${what}`, () => {
    const found = sourceFiles.flatMap(([path, text]) => (pattern.test(text) ? [`${path}: ${pattern.exec(text)?.[0]}`] : []));
    expect(found).toEqual([]);
  });
}
