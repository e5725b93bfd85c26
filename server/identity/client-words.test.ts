import { expect, it } from 'vitest';
import { clientInWords } from './client-words.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/138.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`, 'Edge on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 15) ${webKit} Chrome/138.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} glasshouse/1.0 Chrome/138.0.0.0 Electron/37.1.0 Safari/537.36`, 'The desktop app on Linux'],
  ['curl/8.14.1', 'curl'],
  ['python-requests/2.32', 'A Python program'],
  ['node', 'A Node.js program'],
  ['<script>alert(1)</script>', null],
  [`${'x'.repeat(600)} Firefox/140.0`, null],
  ['', null],
  [undefined, null],
])('%s', (header, words) => {
  expect(clientInWords(header)).toBe(words);
});
