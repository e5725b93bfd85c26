/** The controller on a real gateway, with a shell that records what the user would see. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLocalGateway } from '../../server/entry/local.ts';
import { ARun } from '../../server/fixtures/a-run.ts';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import { desktopKeys } from '../../shared/desktop-keys.ts';
import { aRequest } from '../../shared/fixtures/otlp.ts';
import type { Question } from './ask.ts';
import { DesktopController } from './desktop-controller.ts';
import type { Item } from './menu.ts';
import type { Notice } from './notices.ts';
import { type DesktopHost, openDesktop } from './open-desktop.ts';
import type { Gateway } from './port.ts';
import { openSettings, type SettingsFile } from './settings.ts';
import type { Shell } from './shell.ts';

let home: string;
let gateway: Gateway;
let settings: SettingsFile;
let controller: DesktopController;
const questions: Question[] = [];

function recordingShell() {
  const calls: string[] = [];
  const drawn: { menu: Item[]; tray: Item[]; tooltipOf: number } = { menu: [], tray: [], tooltipOf: 0 };
  const notices: { notice: Notice; onClick: () => void }[] = [];
  const dialogs = { isFocused: false, file: null as string | null, folder: null as string | null };
  const shell: Shell = {
    drawMenu: (items) => {
      drawn.menu = items;
    },
    drawTray: (items, { spans }) => {
      drawn.tray = items;
      drawn.tooltipOf = spans;
    },
    setTrayTooltip: (text) => calls.push(`say ${text}`),
    badge: (count) => calls.push(`badge ${count}`),
    notify: (notice, onClick) => notices.push({ notice, onClick }),
    applyTheme: (theme) => calls.push(`theme ${theme}`),
    setOpenAtLogin: (isEnabled) => calls.push(`login ${isEnabled}`),
    zoom: (level) => calls.push(`zoom ${level}`),
    show: (route = '') => calls.push(`show ${route}`),
    openWindow: (route) => calls.push(`window ${route}`),
    reload: () => calls.push('reload'),
    copy: (text) => calls.push(`copy ${text}`),
    revealData: () => calls.push('reveal'),
    chooseFile: async () => dialogs.file,
    chooseFolder: async () => dialogs.folder,
    isFocused: () => dialogs.isFocused,
    quit: () => calls.push('quit'),
  };
  return { shell, calls, drawn, notices, dialogs };
}

let recorded: ReturnType<typeof recordingShell>;
const ask = async (question: Question) => questions.push(question) * 0;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-controller-'));
  questions.length = 0;
  gateway = await startLocalGateway({ port: 0, dataDir: join(home, 'data'), projectDir: home });
  settings = openSettings(join(home, 'desktop.json'));
  recorded = recordingShell();
  controller = controllerWith({ grpc: 0, http: 0 });
  await controller.start();
});
const controllerWith = (otlpPorts: OtlpPorts) =>
  new DesktopController({
    gateway,
    settings,
    shell: recorded.shell,
    ask,
    platform: 'linux',
    isPackaged: true,
    otlpPorts,
    extra: [],
    help: [],
  });

afterEach(async () => {
  controller.stop();
  await gateway.stop();
  rmSync(home, { recursive: true });
});

async function send(traceId: string, options: { failed?: boolean; seconds?: number } = {}): Promise<number> {
  const end = Date.now();
  const span = {
    traceId,
    spanId: 'b'.repeat(16),
    name: 'agent',
    startTimeUnixNano: `${end - (options.seconds ?? 1) * 1000}000000`,
    endTimeUnixNano: `${end}000000`,
    status: options.failed ? { code: 2 } : {},
  };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(new URL('/v1/traces', gateway.url), { method: 'POST', headers, body })).status;
}
const a = 'a'.repeat(32);
const key = (id: string) => desktopKeys.find((one) => one.id === id) as (typeof desktopKeys)[number];
const item = (items: Item[], id: string): Item | undefined =>
  items
    .flatMap((one) => [one, ...(one.submenu ?? []), ...(one.submenu ?? []).flatMap(({ submenu = [] }) => submenu)])
    .find((one) => one.id === id);

test('received traces and spans are counted in the tray', async () => {
  await send(a);
  await vi.waitFor(() => expect(item(recorded.drawn.tray, 'count')?.label).toBe('1 trace, 1 span since start'), { timeout: 120_000 });
});

test('a failure while no window has the focus makes a notification and a badge, and the focus clears the badge', async () => {
  await send(a, { failed: true });
  await vi.waitFor(() => expect(recorded.notices.map(({ notice }) => notice.title)).toEqual(['Failed: agent']), { timeout: 120_000 });
  expect(recorded.calls).toContain('badge 1');
  recorded.notices[0]?.onClick();
  expect(recorded.calls.at(-1)).toBe(`show #/traces/${a}`);
  controller.onFocus();
  expect(recorded.calls.at(-1)).toBe('badge 0');
});

test('a run that may be running away makes a notification that opens its trace', async () => {
  const run = new ARun();
  const calls = Array.from({ length: 10 }, () => run.tool('search', { q: 'owls' }, 'none'));
  await fetch(new URL('/v1/traces', gateway.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aRequest(calls)),
  });
  await vi.waitFor(
    () => expect(recorded.notices.map(({ notice }) => notice.body)).toEqual([expect.stringContaining('called search 10 times')]),
    {
      timeout: 120_000,
    },
  );
  recorded.notices[0]?.onClick();
  expect(recorded.calls.at(-1)).toBe(`show #/traces/${run.traceId}`);
});

test('no notification appears while a window has the focus', async () => {
  recorded.dialogs.isFocused = true;
  await send(a, { failed: true });
  await send('c'.repeat(32));
  await vi.waitFor(() => expect(recorded.drawn.tooltipOf).toBe(2), { timeout: 120_000 });
  expect([recorded.notices, recorded.calls]).toEqual([[], []]);
});

test('pausing in the menu shows in the tray, and the other way round', async () => {
  item(recorded.drawn.menu, 'pause')?.click?.();
  expect(item(recorded.drawn.tray, 'pause')?.checked).toBe(true);
  expect(await send(a)).toBe(503);
  item(recorded.drawn.tray, 'pause')?.click?.();
  expect(item(recorded.drawn.menu, 'pause')?.checked).toBe(false);
  expect(await send(a)).toBe(200);
});

test('settings are saved, take effect and show in the menu', () => {
  item(recorded.drawn.menu, 'open_at_login')?.click?.();
  controller.set({ theme: 'dark' });
  controller.set({ theme: 'dark' });
  expect(recorded.calls).toEqual(['login true', 'theme dark']);
  expect(item(recorded.drawn.menu, 'open_at_login')?.checked).toBe(true);
  expect(openSettings(join(home, 'desktop.json')).values).toMatchObject({ open_at_login: true, theme: 'dark' });
});

test('zoom changes in steps, has a limit and is saved', () => {
  for (let times = 0; times < 40; times++) controller.zoom('zoom-in');
  expect(settings.values.zoom).toBe(6);
  controller.zoom('zoom-out');
  expect(recorded.calls.at(-1)).toBe('zoom 5.5');
  controller.zoom('zoom-reset');
  expect(openSettings(join(home, 'desktop.json')).values.zoom).toBe(0);
});

test('a file with one trace shows it, a missing file is reported, and a cancelled choice does nothing', async () => {
  await controller.run(key('open-file'));
  expect(recorded.calls).toEqual([]);
  const span = {
    traceId: a,
    spanId: 'b'.repeat(16),
    name: 'x',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
  };
  recorded.dialogs.file = join(home, 'x.json');
  writeFileSync(recorded.dialogs.file, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  await controller.run(key('open-file'));
  expect(recorded.calls).toEqual([`show #/traces/${a}`]);
  await controller.open([{ file: join(home, 'none.json') }]);
  expect(questions.map(({ message }) => message)).toEqual(['none.json was not opened']);
});

test('another project is served from then on and after a restart', async () => {
  recorded.dialogs.folder = join(home, 'project');
  mkdirSync(recorded.dialogs.folder);
  writeFileSync(join(recorded.dialogs.folder, 'agentmark.json'), JSON.stringify({ agentmarkPath: '.', note: 'mine' }));
  await controller.run(key('open-project'));
  expect(await (await fetch(new URL('/v1/config', gateway.url))).text()).toContain('mine');
  expect(openSettings(join(home, 'desktop.json')).values.project).toBe(recorded.dialogs.folder);
});

test('the OTLP ports are open from the start until the settings disable them', async () => {
  expect(gateway.otlpPorts).toEqual({ grpc: expect.any(Number), http: expect.any(Number) });
  controller.set({ otlp_ports: false });
  await vi.waitFor(() => expect(gateway.otlpPorts).toEqual({ grpc: null, http: null }), { timeout: 120_000 });
  expect(openSettings(join(home, 'desktop.json')).values.otlp_ports).toBe(false);
  expect(questions).toEqual([]);
});

test('a taken OTLP port leaves the other open: the menu shows it, and a dialog only after the user enables the ports', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  controller.stop();
  controller = controllerWith({ grpc: 0, http: port });
  await controller.start();
  expect(gateway.otlpPorts).toEqual({ grpc: expect.any(Number), http: null });
  expect(item(recorded.drawn.menu, 'otlp-ports')?.label).toContain(`(taken: ${port})`);
  expect(questions).toEqual([]);
  controller.set({ otlp_ports: false });
  controller.set({ otlp_ports: true });
  await vi.waitFor(() => expect(questions.map(({ message }) => message)).toEqual(['Some OTLP ports are taken']), { timeout: 120_000 });
  expect(questions[0]?.detail).toContain(`Port ${port} for OTLP/HTTP is taken by another program.`);
  expect(settings.values.otlp_ports).toBe(true);
  squatter.close();
});

test('the window is prepared while the store is still being opened', async () => {
  const order: string[] = [];
  const windows = { prepare: () => order.push('window'), show: () => {}, open: () => {}, zoom: () => {}, showMessage: () => {} };
  const isPrepared = Promise.withResolvers<void>();
  const host = {
    start: async ({ listening }: { listening?: (port: number) => void }) => {
      listening?.(gateway.port);
      await isPrepared.promise;
      order.push('store');
      return gateway;
    },
    worker: new URL('file:///none'),
    ready: Promise.resolve(),
    quitting: new AbortController().signal,
    ask,
    cipher: { isSafe: async () => false, seal: async () => Buffer.alloc(0), open: async () => '' },
    platform: 'linux' as const,
    isPackaged: true,
    development: undefined,
    extra: [],
    help: [],
    windowsOn: () => ({
      ...windows,
      prepare: () => {
        windows.prepare();
        isPrepared.resolve();
      },
    }),
    shellOf: () => recorded.shell,
    drawMenu: () => {},
    applyTheme: () => {},
    copy: () => {},
    serve: () => order.push('bridge'),
  } satisfies DesktopHost;
  const running = await openDesktop({ port: 0, project: undefined, hidden: false, dataDir: home, otlpPorts: { grpc: 0, http: 0 } }, host);
  running?.own?.controller.stop();
  expect(order).toEqual(['window', 'store', 'bridge']);
});
