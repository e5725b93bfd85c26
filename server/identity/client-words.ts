/** A `User-Agent` header in plain words, such as `Firefox on Linux`. Made of fixed words only, because anybody may send any header. */

/** The first that matches counts: browsers name those that they descend from, too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bElectron\//, 'The desktop app'],
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(python|aiohttp)/i, 'A Python program'],
  [/^(node|undici|axios|got)\b/i, 'A Node.js program'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Longer headers are of no browser. */
const readCharsMax = 500;

/** Null when nothing in it is known. */
export function clientInWords(userAgent: string | undefined): string | null {
  const read = userAgent?.slice(0, readCharsMax) ?? '';
  const nameIn = (table: typeof browsers) => table.find(([form]) => form.test(read))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null);
}
