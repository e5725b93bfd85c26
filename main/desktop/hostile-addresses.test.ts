/**
 * Every hostile address through every way into the desktop that takes a text: what is not of the web leaves by
 * none, and none throws. The events of Electron are in main/boot.gateway.test.ts, the ways of a page in e2e/desktop-links.spec.ts.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hostileAddresses } from '../../e2e/hostile-addresses.ts';
import { askedToOpen, linked, ownRoute, sentWords } from './asked-to-open.ts';
import { commandLine } from './command-line.ts';
import { traceRoute } from './deep-link.ts';
import { externalUrl, opener } from './external-url.ts';
import { mayLoad } from './may-load.ts';
import { type Arrived, type Notice, Notices } from './notices.ts';
import { openSettings } from './settings.ts';
import { takeTraceFile } from './trace-file.ts';

const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'glasshouse-hostile-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Beside the list: what no address holds but a text may. */
const texts = [...hostileAddresses, '', '\ud800', '..', '#/traces/x', '--data=/etc', '-', '\u0000', 'x'.repeat(20_000)];
const page = 'http://127.0.0.1:9418/';

test('there are as many as the matrix asks for', () => expect(new Set(hostileAddresses).size).toBeGreaterThanOrEqual(299));

test('the one way out opens none, and asks about none', async () => {
  const did: string[] = [];
  const openExternal = opener(async (href) => void did.push(href));
  const yes = async ({ message }: { message: string }) => did.push(message) * 0;
  for (const text of texts) expect([externalUrl(text), await openExternal(text, yes)], text).toEqual([null, false]);
  expect(did).toEqual([]);
});

test('a launch, a second launch and a link of the system read none of them as a link, an option or a file', () => {
  for (const address of hostileAddresses) {
    const words = sentWords({ words: [address] });
    expect([askedToOpen([address], '/'), askedToOpen(words, '/'), linked(address)], address).toEqual([[], [], []]);
    expect(commandLine([address]), address).toEqual({ port: 9418, data: undefined, project: undefined, hidden: false });
  }
});

test('a link names no file, whatever stands in it', () => {
  for (const text of [...texts, '/etc/run.json', 'run.json', '\\\\attacker\\share\\run.json', 'C:\\run.capsule'])
    for (const link of [text, `${text}.json`, `glasshouse://trace/${text}`])
      expect(
        linked(link).every((one) => 'route' in one && /^#\/traces\/[\w.-]+$/.test(one.route)),
        link,
      ).toBe(true);
});

test('a notice of a trace with such a name and such an id leads to a screen of our own page', async () => {
  const told: Notice[] = [];
  const end = new Date(0).toISOString();
  const arrived = (id: string): Arrived => ({ id, name: id, status: 'ERROR', end, latency_ms: 1, error_count: 1 });
  const notices = new Notices({
    read: async (ids) => ids.map(arrived),
    isOver: async () => true,
    settings: () => openSettings(join(home, 'none.json')).values,
    failed: () => {},
    tell: (notice) => told.push(notice),
    now: () => 0,
  });
  for (const text of texts) await notices.heard([text]);
  expect(told.map(({ traceId }) => traceId)).toEqual(texts);
  for (const { traceId, title } of told) {
    const route = traceRoute(traceId ?? '');
    const shown = new URL(`${page}${route}`);
    expect([shown.origin, shown.pathname, ownRoute(shown.href, page)], route).toEqual([new URL(page).origin, '/', shown.hash]);
    expect(title).toMatch(/^Failed: [^\p{Cc}\p{Cf}]+$/u);
  }
});

test('a file of such a name is refused with a word', async () => {
  for (const text of texts) expect(await takeTraceFile(join(home, text, 'none'), page), text).toMatchObject({ kind: 'refused' });
  for (const address of hostileAddresses) expect(await takeTraceFile(address, page), address).toMatchObject({ kind: 'refused' });
});

test('a window loads none of them, and none is a screen of ours', () => {
  const inert = /^data:/i;
  for (const text of texts) {
    expect(mayLoad(text, { page, isPackaged: true }) && !inert.test(text), text).toBe(false);
    expect(ownRoute(text, page), text).toBeNull();
  }
});

test('what leaves for the system is called in one place each', () => {
  const calls = (what: RegExp) =>
    globSync('main/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
      .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(what)].map(([call]) => `${file}: ${call}`))
      .sort();
  expect(calls(/shell\.openExternal\([^)]*\)/g)).toEqual(['main/electron-host.ts: shell.openExternal(href)']);
  // A path of the shell runs what it names, so it is our own folder and nothing that anybody sent.
  const paths = calls(/\.(openPath|showItemInFolder|trashItem|writeShortcutLink)\(.*?\)\)/g).map((call) => call.replace(/^.*: /, ''));
  expect(new Set(paths)).toEqual(new Set([".openPath(app.getPath('userData'))"]));
  expect(calls(/\.loadURL\(|\.loadFile\(/g)).toEqual(['main/window.ts: .loadURL(']);
});
