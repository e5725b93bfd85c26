import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { mayLoad } from './desktop/may-load.ts';
import { windowBackground } from './window.ts';

vi.mock('electron', () => ({}));

const packaged = { page: 'http://127.0.0.1:9418/', isPackaged: true };

test.each([
  'http://127.0.0.1:9418/',
  'http://127.0.0.1:9418/assets/index.js?v=1#x',
  'blob:http://127.0.0.1:9418/8c9a',
  'data:image/png;base64,AA==',
])('the window may load %s', (url) => expect(mayLoad(url, packaged)).toBe(true));

test.each([
  '',
  'https://127.0.0.1:9418/',
  'http://127.0.0.1:9419/',
  'http://127.0.0.1/',
  'http://localhost:9418/',
  'http://127.0.0.1:9418@attacker.example/',
  'http://127.0.0.1:9418.attacker.example/',
  'https://attacker.example/?q=secret',
  'wss://attacker.example/',
  'ws://attacker.example/',
  'blob:https://attacker.example/8c9a',
  'file:///etc/passwd',
  'ftp://127.0.0.1:9418/',
  'chrome-extension://x/y.js',
  'chrome://gpu',
  'devtools://devtools/bundled/inspector.html',
])('the window may not load %j', (url) => expect(mayLoad(url, packaged)).toBe(false));

test('development may load its tools and the socket of its server', () => {
  const development = { page: 'http://localhost:5173', isPackaged: false };
  expect(mayLoad('ws://localhost:5173/?token=x', development)).toBe(true);
  expect(mayLoad('devtools://devtools/bundled/inspector.html', development)).toBe(true);
  expect(mayLoad('http://localhost:5174/', development)).toBe(false);
});

test('the background of the window is that of the page', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../renderer/ui/tokens.css'), 'utf8');
  expect(tokens).toContain(`--color-bg: light-dark(${windowBackground.light}, ${windowBackground.dark})`);
});
