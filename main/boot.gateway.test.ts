/**
 * The built main process, booted under plain Node with e2e/electron/stand-in.mjs for Electron: the bundled code, in the order
 * Electron would run it, on the real gateway. Then `npm start` with a shell script in place of Electron's binary.
 * One file, because both need the app built and must not build it at the same time.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hostileAddresses } from '../e2e/hostile-addresses.ts';
import { hostileEvents } from './fixtures/hostile-events.ts';
import { type Electron, startMain } from './fixtures/started-main.ts';

const root = join(import.meta.dirname, '..');
const children: ChildProcess[] = [];
let dataDir: string;

beforeAll(() => {
  for (const script of ['scripts/ensure-viewer.ts', 'scripts/ensure-shell.ts'])
    expect(spawnSync(process.execPath, [join(root, script)]).status).toBe(0);
});

beforeEach((context) => {
  if (process.platform === 'win32') context.skip('processes are woken by POSIX signals, and a shell script stands for Electron');
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-boot-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

function boot(...args: string[]) {
  const started = startMain(dataDir, args);
  children.push(started.child);
  return started;
}

const health = async (page: string) => (await fetch(new URL('/health', page))).json();

test('the window shows the gateway and is an ordinary sandboxed page', async () => {
  const app = boot('--port', '0', '--data', dataDir);
  await app.shown();
  expect(await health(await app.page())).toEqual({ status: 'ok' });
  const { prefs, status, policy, ground, sandboxed } = await app.run(({ app, BrowserWindow }) => {
    const [{ options, status, policy }] = BrowserWindow.getAllWindows();
    return { prefs: options.webPreferences, ground: options.backgroundColor, status, policy, sandboxed: app.sandboxed };
  });
  expect(prefs).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
    preload: join(root, 'out/preload/preload.cjs'),
  });
  expect(statSync(prefs.preload).isFile()).toBe(true);
  expect([sandboxed, status, ground]).toEqual([true, 200, '#0e1013']);
  expect(policy).toContain("script-src 'self'");
  // Other users of the machine have no access.
  expect(statSync(join(dataDir, 'window')).mode & 0o077).toBe(0);
});

test('what the app prints is in its log, and help copies diagnostics without the name of the user', async () => {
  const app = boot('--port', '0', '--data', dataDir);
  await app.shown();
  const { id, crashes, text } = await app.run(async ({ app, clipboard, crashReporter, Menu }) => {
    console.error('printed by the main process');
    const { items } = Menu.getApplicationMenu().items.find(({ label }: { label: string }) => label === 'Help').submenu;
    items.find(({ id }: { id: string }) => id === 'copy-diagnostics').click();
    return { id: app.userModelId, crashes: crashReporter.options, text: clipboard.text };
  });
  expect([id, crashes]).toEqual(['dev.glasshouse.app', { uploadToServer: false }]);
  expect(text).toMatch(/^Glasshouse 0\.0\.0-stand-in [\s\S]+ printed by the main process/);
  expect(readFileSync(join(dataDir, 'logs/main.log'), 'utf8')).toMatch(/started, process \d+[\s\S]+printed by the main process/);
});

test('the page cannot navigate away, open a window, get a permission or reach another host', async () => {
  const app = boot('--port', '0', '--data', dataDir);
  await app.shown();
  const found = await app.run(async ({ BrowserWindow, dialog, shell, preventable }) => {
    const { webContents: contents } = BrowserWindow.getAllWindows()[0];
    const prevented = (event: string, url: string) => {
      const sent = preventable({ url });
      contents.emit(event, sent);
      return sent.defaultPrevented;
    };
    const permitted = (name: string) => {
      let granted: unknown;
      contents.session.permissionRequest(contents, name, (answer: boolean) => {
        granted = answer;
      });
      return granted === true || contents.session.permissionCheck(contents, name);
    };
    const cancelled = (url: string) => {
      let cancel: unknown;
      contents.session.beforeRequest({ url }, (answer: { cancel: boolean }) => {
        cancel = answer.cancel;
      });
      return cancel;
    };
    return {
      navigated: ['https://attacker.example/', 'file:///etc/passwd', `${contents.url}v1/openapi.json`].filter(
        (url) => !prevented('will-navigate', url),
      ),
      reloaded: !prevented('will-navigate', `${contents.url}#/traces`),
      redirected: !prevented('will-redirect', 'https://attacker.example/'),
      embedded: !prevented('will-attach-webview', ''),
      popup: contents.windowOpen({ url: 'https://attacker.example/' }).action,
      permitted: ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'fullscreen', 'usb'].filter(permitted),
      copies: permitted('clipboard-sanitized-write'),
      devices: contents.session.devicePermission({}),
      reached: ['https://attacker.example/?q=secret', 'http://localhost:1/', 'wss://attacker.example/'].filter((url) => !cancelled(url)),
      own: !cancelled(`${contents.url}v1/traces`),
      asked: dialog.asked.map(({ message, hasParent }: Record<string, unknown>) => `${message} ${hasParent}`),
      opened: shell.opened,
    };
  });
  expect(found).toEqual({
    navigated: [],
    reloaded: true,
    redirected: false,
    embedded: false,
    popup: 'deny',
    permitted: [],
    copies: true,
    devices: false,
    reached: [],
    own: true,
    // The user is asked once, for the first: the others arrived while that question was open.
    asked: ['Open attacker.example in your browser? true'],
    opened: [],
  });
});

test(`no event that carries one of ${hostileAddresses.length} hostile addresses opens anything, though the user says yes to all`, async () => {
  vi.stubEnv('STAND_IN_ANSWER', '0');
  const app = boot('--port', '0', '--data', dataDir);
  vi.unstubAllEnvs();
  await app.shown();
  const page = await app.page();
  for (const [name, event] of Object.entries(hostileEvents)) {
    const wentOn: string[] = [];
    for (const address of hostileAddresses) if (await app.run(event, address)) wentOn.push(address);
    expect(wentOn, name).toEqual([]);
  }
  await app.until(({ dialog }) => dialog.asked.length >= 299);
  const found = await app.run(({ BrowserWindow, dialog, shell }) => ({
    urls: BrowserWindow.getAllWindows().map(({ webContents }: Electron) => webContents.url),
    asked: dialog.asked.map(({ message }: { message: string }) => message).filter((text: string) => !text.endsWith(' was not opened')),
    opened: shell.opened,
  }));
  expect(found).toEqual({ urls: [page], asked: [], opened: [] });
  expect(app.printed()).toBe('');
});

test('traces that are named like hostile addresses make notices, a tray and menus that lead to our own page only', async () => {
  const app = boot('--port', '0', '--data', dataDir);
  await app.shown();
  const page = await app.page();
  await app.run(({ BrowserWindow }) => BrowserWindow.blur());
  const end = `${Date.now()}000000`;
  const spans = hostileAddresses.map((name, at) => {
    const traceId = (at + 1).toString(16).padStart(32, '0');
    return { traceId, spanId: 'b'.repeat(16), name, startTimeUnixNano: end, endTimeUnixNano: end, status: { code: 2, message: name } };
  });
  for (const some of [spans.slice(0, 2), spans]) {
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: some }] }] });
    const sent = await fetch(new URL('/v1/traces', page), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(sent.status).toBe(200);
    const before = some === spans ? 3 : 2;
    await vi.waitFor(async () => expect(await app.run(({ Notification }) => Notification.shown.length)).toBeGreaterThanOrEqual(before), {
      timeout: 120_000,
    });
  }
  const shown = await app.run(async ({ BrowserWindow, Menu, Notification, Tray }) => {
    const seen: string[] = [];
    const press = (what: () => void) => {
      what();
      seen.push(...BrowserWindow.getAllWindows().map(({ webContents }: Electron) => webContents.url));
    };
    for (const notice of Notification.shown) press(() => notice.emit('click'));
    const items = (menu: Electron): Electron[] =>
      menu.items.flatMap((item: Electron) => [item, ...(item.submenu ? items(item.submenu) : [])]);
    for (const item of [...items(Tray.last.menu), ...items(Menu.application)])
      if (item.click && !['quit', 'otlp-ports', 'open_at_login'].includes(item.id)) press(() => item.click());
    return seen;
  });
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((url) => !url.startsWith(`${page}#/`) && url !== page)).toEqual([]);
  expect(await app.run(({ shell }) => shell.opened)).toEqual([dataDir, join(dataDir, 'logs')]);
});

test('the bridge answers the viewer, and nobody else', async () => {
  const app = boot('--port', '0', '--data', dataDir);
  await app.shown();
  const page = await app.page();
  const call = (origin: string, channel: string) =>
    app.run(
      ({ ipcMain }, given) => {
        const { origin, channel } = given as { origin: string; channel: string };
        return ipcMain.handlers.get(channel)({ senderFrame: { origin, parent: null } });
      },
      { origin, channel },
    );
  expect(await call(new URL(page).origin, 'app-info')).toMatchObject({ version: '0.0.0-stand-in', platform: process.platform });
  expect(await call(new URL(page).origin, 'reveal-data-folder')).toEqual({ opened: true });
  expect(await app.run(({ shell }) => shell.opened)).toEqual([dataDir]);
  await expect(call('https://attacker.example', 'app-info')).rejects.toThrow('refused');
});

test('a second launch wakes the first and ends', async () => {
  const first = boot('--port', '0', '--data', dataDir);
  await first.shown();
  await first.run(({ BrowserWindow }) => Object.assign(BrowserWindow.getAllWindows()[0], { minimized: true, visible: false }).minimized);
  const second = boot('--port', '0', '--data', dataDir);
  expect(await second.ended).toBe(0);
  await first.until(({ BrowserWindow }) => {
    const [{ visible, focused, minimized }] = BrowserWindow.getAllWindows();
    return visible && focused === 1 && !minimized;
  });
});

test.each(['SIGTERM', 'the last window'])('%s stops the gateway before the process ends', async (how) => {
  const app = boot('--port', '0', '--data', dataDir);
  await app.shown();
  const page = await app.page();
  if (how === 'SIGTERM') app.child.kill('SIGTERM');
  else await app.run(({ BrowserWindow }) => setImmediate(() => BrowserWindow.getAllWindows()[0].close()) && true);
  expect(await app.ended).toBe(0);
  await expect(fetch(page)).rejects.toThrow();
  expect(app.printed()).toBe('');
});

test('a taken port is reported; another one is opened and its set-up line copied', async () => {
  const squatter = createServer((_, answer) => answer.end('not a Glasshouse')).listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  try {
    // The first button of both questions: 'Use another port', then 'Copy'.
    vi.stubEnv('STAND_IN_ANSWER', '0');
    const app = boot('--port', String(port), '--data', dataDir);
    vi.unstubAllEnvs();
    await app.until(({ clipboard }) => clipboard.text !== '');
    const page = await app.page();
    expect(await health(page)).toEqual({ status: 'ok' });
    expect(await app.run(({ clipboard }) => clipboard.text)).toBe(`OTEL_EXPORTER_OTLP_ENDPOINT=${new URL(page).origin}`);
    const [taken, moved] = await app.run(({ dialog }) => dialog.asked);
    expect(taken.detail).toMatch(/^(Another program|The program 'node') listens on/);
    expect(moved).toMatchObject({ message: `Glasshouse listens on port ${new URL(page).port}`, hasParent: true });
  } finally {
    squatter.close();
  }
});

test('the gateway of another data folder is shown without the bridge, and runs on when the window closes', async () => {
  const other = boot('--port', '0', '--data', join(dataDir, 'other'));
  await other.shown();
  const page = await other.page();
  vi.stubEnv('STAND_IN_ANSWER', '0');
  const app = boot('--port', new URL(page).port, '--data', join(dataDir, 'mine'));
  vi.unstubAllEnvs();
  await app.shown();
  const found = await app.run(({ BrowserWindow, dialog, ipcMain }) => {
    const [{ options, webContents }] = BrowserWindow.getAllWindows();
    return { url: webContents.url, prefs: options.webPreferences, channels: ipcMain.handlers.size, asked: dialog.asked.length };
  });
  expect(found).toMatchObject({ url: page, channels: 0, asked: 1 });
  expect(found.prefs).toMatchObject({ sandbox: true, contextIsolation: true });
  expect(found.prefs).not.toHaveProperty('preload');
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  expect(await health(page)).toEqual({ status: 'ok' });
});

test('a data folder in use by a headless gateway is not opened again; that gateway is shown instead', async () => {
  const words = [join(root, 'server/entry/gateway.ts'), '--port', '0', '--data', dataDir, '--project', dataDir];
  const gateway = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(gateway);
  const [line] = await once(gateway.stdout, 'data');
  const page = `${/http:\S+/.exec(String(line))?.[0]}/`;
  vi.stubEnv('STAND_IN_ANSWER', '0');
  const app = boot('--port', '0', '--data', dataDir);
  vi.unstubAllEnvs();
  await app.shown();
  expect(await app.page()).toBe(page);
  const [asked] = await app.run(({ dialog }) => dialog.asked);
  expect(asked.message).toBe('Another Glasshouse uses this data folder');
  expect(asked.detail).toContain(`in use by the local gateway (process ${gateway.pid} on `);
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  expect(await health(page)).toEqual({ status: 'ok' });
  // And the other way round: the app has it.
  gateway.kill('SIGTERM');
  await once(gateway, 'exit');
  const holding = boot('--port', '0', '--data', dataDir);
  await holding.shown();
  const refused = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`in use by the desktop app (process ${holding.child.pid} on `),
  ]);
});

test('a span goes through the bundled threads and comes back', async () => {
  const app = boot('--port', '0', '--data', dataDir);
  await app.shown();
  const page = await app.page();
  const now = `${Date.now()}000000`;
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'booted', startTimeUnixNano: now, endTimeUnixNano: now };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const sent = await fetch(new URL('/v1/traces', page), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(sent.status).toBe(200);
  const { data } = (await (await fetch(new URL(`/v1/traces/${span.traceId}`, page))).json()) as { data: unknown };
  expect(data).toMatchObject({ name: 'booted' });
});

test('a start that fails says why and ends with its own code', async () => {
  const app = boot('--port', 'x', '--data', dataDir);
  expect(await app.ended).toBe(2);
  expect(app.printed()).toContain("--port takes a number from 0 to 65535, not 'x'");
});

function start(env: NodeJS.ProcessEnv) {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...rest } = process.env;
  // Tests may run as root, whom Chromium's sandbox refuses.
  const args = [join(root, 'main/start.ts'), '--no-sandbox', '--port', '0', '--data', join(dataDir, 'data')];
  const child = spawn(process.execPath, args, { env: { ...rest, ...env }, cwd: dataDir });
  children.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const says = async (what: RegExp) => {
    for (const limit = performance.now() + 120_000; performance.now() < limit; await new Promise((wake) => setTimeout(wake, 20)))
      if (what.test(printed)) return;
    throw new Error(`never said ${what}: ${printed}`);
  };
  return { process: child, ended, says, printed: () => printed };
}

describe('npm start', () => {
  const asElectron = (script: string): NodeJS.ProcessEnv => {
    writeFileSync(join(dataDir, 'electron'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: dataDir };
  };

  test('without a display says so in one line, runs the gateway and drains on SIGTERM', async ({ skip }) => {
    if (process.platform === 'darwin') skip('a Mac always has a display');
    const app = start({});
    await app.says(/ready at http:\/\/127\.0\.0\.1:\d+/);
    expect(app.printed().match(/^No window, because there is no display.*$/gm)).toHaveLength(1);
    app.process.kill('SIGTERM');
    expect(await app.ended).toBe(0);
  });

  test.each([
    ['a missing library', 'exit 127', '127'],
    ['a forbidden sandbox', 'kill -TRAP $$', '133'],
  ])('runs the gateway when Electron dies of %s', async (_, script, code) => {
    const app = start(asElectron(script));
    await app.says(/ready at http:\/\/127\.0\.0\.1:\d+/);
    expect(app.printed()).toContain(`Electron did not start (exit ${code})`);
    app.process.kill('SIGTERM');
    expect(await app.ended).toBe(0);
  });

  test('without a display, names the process that uses the data folder', async ({ skip }) => {
    if (process.platform === 'darwin') skip('a Mac always has a display');
    const first = start({});
    await first.says(/ready at http:/);
    const second = start({});
    expect(await second.ended).toBe(1);
    expect(second.printed()).toContain(`in use by the local gateway (process ${first.process.pid} on `);
    expect(second.printed()).not.toMatch(/\bat .*:\d+:\d+/);
  });

  test('gives Electron the app and the options, and passes its exit code on', async () => {
    const app = start(asElectron('echo "started: $@"; exit 3'));
    expect(await app.ended).toBe(3);
    expect(app.printed()).toContain(`started: ${root} --no-sandbox --port 0 --data ${join(dataDir, 'data')}`);
  });

  test('ignores ELECTRON_RUN_AS_NODE, which editors set in their terminals', async () => {
    const app = start({ ...asElectron('echo "as node: [$ELECTRON_RUN_AS_NODE]"; exit 3'), ELECTRON_RUN_AS_NODE: '1' });
    expect(await app.ended).toBe(3);
    expect(app.printed()).toContain('as node: []');
  });

  test('signals Electron once, however many signals it receives', async () => {
    const app = start(asElectron('trap "echo signalled" TERM INT; echo running; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; exit 0'));
    await app.says(/running/);
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) app.process.kill(signal);
    expect(await app.ended).toBe(0);
    expect(app.printed().match(/signalled/g)).toHaveLength(1);
  });
});
