/**
 * Every hostile address through every entry point of the desktop that takes text: none is opened unless it is a web address,
 * and none throws. Events of Electron are tested in main/boot.gateway.test.ts, actions of a page in e2e/desktop-links.spec.ts.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hostileAddresses } from '../../e2e/hostile-addresses.ts';
import { commandLine } from './command-line.ts';
import { traceRoute } from './deep-link.ts';
import { externalUrl, opener } from './external-url.ts';
import { mayLoad } from './may-load.ts';
import { type ArrivedTrace, type Notice, Notices } from './notices.ts';
import { ownRoute, parseLink, parseOpenTargets, readLaunchWords } from './open-targets.ts';
import { openSettings } from './settings.ts';
import { importTraceFile } from './trace-file.ts';

const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'glasshouse-hostile-'));
afterAll(() => rmSync(home, { recursive: true }));

/** Besides the list: text that no address contains. */
const texts = [...hostileAddresses, '', '\ud800', '..', '#/traces/x', '--data=/etc', '-', '\u0000', 'x'.repeat(20_000)];
const page = 'http://127.0.0.1:9418/';

test('the list has at least 299 distinct addresses', () => expect(new Set(hostileAddresses).size).toBeGreaterThanOrEqual(299));

test('the only call that opens addresses opens none of them, and asks about none', async () => {
  const calls: string[] = [];
  const openExternal = opener(async (href) => void calls.push(href));
  const yes = async ({ message }: { message: string }) => calls.push(message) * 0;
  for (const text of texts) expect([externalUrl(text), await openExternal(text, yes)], text).toEqual([null, false]);
  expect(calls).toEqual([]);
});

test('a launch, a second launch and a system link take none of them for a link, an option or a file', () => {
  for (const address of hostileAddresses) {
    const words = readLaunchWords({ words: [address] });
    expect([parseOpenTargets([address], '/'), parseOpenTargets(words, '/'), parseLink(address)], address).toEqual([[], [], []]);
    expect(commandLine([address]), address).toEqual({ port: 9418, data: undefined, project: undefined, hidden: false });
  }
});

test('a link never opens a file, whatever it contains', () => {
  for (const text of [...texts, '/etc/run.json', 'run.json', '\\\\attacker\\share\\run.json', 'C:\\run.capsule'])
    for (const link of [text, `${text}.json`, `glasshouse://trace/${text}`])
      expect(
        parseLink(link).every((target) => 'route' in target && /^#\/traces\/[\w.-]+$/.test(target.route)),
        link,
      ).toBe(true);
});

test('a notice of a trace with such a name and such an id leads to a screen of our own page', async () => {
  const notified: Notice[] = [];
  const end = new Date(0).toISOString();
  const arrived = (id: string): ArrivedTrace => ({ id, name: id, status: 'ERROR', end, latency_ms: 1, error_count: 1 });
  const notices = new Notices({
    read: async (ids) => ids.map(arrived),
    hasEnded: async () => true,
    settings: () => openSettings(join(home, 'none.json')).values,
    failed: () => {},
    notify: (notice) => notified.push(notice),
    now: () => 0,
  });
  for (const text of texts) await notices.add([text]);
  expect(notified.map(({ traceId }) => traceId)).toEqual(texts);
  for (const { traceId, title } of notified) {
    const route = traceRoute(traceId ?? '');
    const shown = new URL(`${page}${route}`);
    expect([shown.origin, shown.pathname, ownRoute(shown.href, page)], route).toEqual([new URL(page).origin, '/', shown.hash]);
    expect(title).toMatch(/^Failed: [^\p{Cc}\p{Cf}]+$/u);
  }
});

test('a file with such a name is refused with a reason', async () => {
  for (const text of texts) expect(await importTraceFile(join(home, text, 'none'), page), text).toMatchObject({ kind: 'refused' });
  for (const address of hostileAddresses) expect(await importTraceFile(address, page), address).toMatchObject({ kind: 'refused' });
});

test('a window loads none of them, and none is a screen of our own page', () => {
  const inert = /^data:/i;
  for (const text of texts) {
    expect(mayLoad(text, { page, isPackaged: true }) && !inert.test(text), text).toBe(false);
    expect(ownRoute(text, page), text).toBeNull();
  }
});

test('each call that opens something in the system has one call site', () => {
  const calls = (what: RegExp) =>
    globSync('main/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
      .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(what)].map(([call]) => `${file}: ${call}`))
      .sort();
  expect(calls(/shell\.openExternal\([^)]*\)/g)).toEqual(['main/electron-host.ts: shell.openExternal(href)']);
  // Opening a path may run the file, so it is only ever our own folder.
  const paths = calls(/\.(openPath|showItemInFolder|trashItem|writeShortcutLink)\(.*?\)\)/g).map((call) => call.replace(/^.*: /, ''));
  expect(new Set(paths)).toEqual(new Set([".openPath(app.getPath('userData'))"]));
  expect(calls(/\.loadURL\(|\.loadFile\(/g)).toEqual(['main/window.ts: .loadURL(']);
});
