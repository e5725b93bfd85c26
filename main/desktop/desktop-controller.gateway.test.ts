/** The controller on a real gateway, with a shell that writes down what the user would see. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLocalGateway } from '../../server/entry/local.ts';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import { desktopKeys } from '../../shared/desktop-keys.ts';
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
const asked: Question[] = [];

function recordingShell() {
  const did: string[] = [];
  const drawn: { menu: Item[]; tray: Item[]; tooltipOf: number } = { menu: [], tray: [], tooltipOf: 0 };
  const notices: { notice: Notice; clicked: () => void }[] = [];
  const looks = { isLooking: false, file: null as string | null, folder: null as string | null };
  const shell: Shell = {
    drawMenu: (items) => {
      drawn.menu = items;
    },
    drawTray: (items, { spans }) => {
      drawn.tray = items;
      drawn.tooltipOf = spans;
    },
    sayInTray: (text) => did.push(`say ${text}`),
    badge: (count) => did.push(`badge ${count}`),
    notify: (notice, clicked) => notices.push({ notice, clicked }),
    takeTheme: (theme) => did.push(`theme ${theme}`),
    openAtLogin: (isWanted) => did.push(`login ${isWanted}`),
    zoom: (level) => did.push(`zoom ${level}`),
    show: (route = '') => did.push(`show ${route}`),
    openWindow: (route) => did.push(`window ${route}`),
    reload: () => did.push('reload'),
    copy: (text) => did.push(`copy ${text}`),
    revealData: () => did.push('reveal'),
    chooseFile: async () => looks.file,
    chooseFolder: async () => looks.folder,
    isLooking: () => looks.isLooking,
    quit: () => did.push('quit'),
  };
  return { shell, did, drawn, notices, looks };
}

let seen: ReturnType<typeof recordingShell>;
const ask = async (question: Question) => asked.push(question) * 0;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-controller-'));
  asked.length = 0;
  gateway = await startLocalGateway({ port: 0, dataDir: join(home, 'data'), projectDir: home });
  settings = openSettings(join(home, 'desktop.json'));
  seen = recordingShell();
  controller = controllerWith({ grpc: 0, http: 0 });
  await controller.start();
});
const controllerWith = (otlpPorts: OtlpPorts) =>
  new DesktopController({ gateway, settings, shell: seen.shell, ask, platform: 'linux', isPackaged: true, otlpPorts, extra: [] });

afterEach(async () => {
  controller.stop();
  await gateway.stop();
  rmSync(home, { recursive: true });
});

async function send(traceId: string, some: { failed?: boolean; seconds?: number } = {}): Promise<number> {
  const end = Date.now();
  const span = {
    traceId,
    spanId: 'b'.repeat(16),
    name: 'agent',
    startTimeUnixNano: `${end - (some.seconds ?? 1) * 1000}000000`,
    endTimeUnixNano: `${end}000000`,
    status: some.failed ? { code: 2 } : {},
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

test('what arrives is counted in the tray', async () => {
  await send(a);
  await vi.waitFor(() => expect(item(seen.drawn.tray, 'count')?.label).toBe('1 trace, 1 span since it began'), { timeout: 120_000 });
});

test('a failure while nobody looks is a notice, a badge and a line in the tray; looking takes them away', async () => {
  await send(a, { failed: true });
  await vi.waitFor(() => expect(seen.notices.map(({ notice }) => notice.title)).toEqual(['Failed: agent']), { timeout: 120_000 });
  expect(seen.did).toContain('badge 1');
  seen.notices[0]?.clicked();
  expect(seen.did.at(-1)).toBe(`show #/traces/${a}`);
  controller.looked();
  expect(seen.did.at(-1)).toBe('badge 0');
});

test('who looks at the window is not told', async () => {
  seen.looks.isLooking = true;
  await send(a, { failed: true });
  await send('c'.repeat(32));
  await vi.waitFor(() => expect(seen.drawn.tooltipOf).toBe(2), { timeout: 120_000 });
  expect([seen.notices, seen.did]).toEqual([[], []]);
});

test('pausing in the menu shows in the tray, and the other way round', async () => {
  item(seen.drawn.menu, 'pause')?.click?.();
  expect(item(seen.drawn.tray, 'pause')?.checked).toBe(true);
  expect(await send(a)).toBe(503);
  item(seen.drawn.tray, 'pause')?.click?.();
  expect(item(seen.drawn.menu, 'pause')?.checked).toBe(false);
  expect(await send(a)).toBe(200);
});

test('settings are kept, take effect and show in the menu', () => {
  item(seen.drawn.menu, 'open_at_login')?.click?.();
  controller.set({ theme: 'dark' });
  controller.set({ theme: 'dark' });
  expect(seen.did).toEqual(['login true', 'theme dark']);
  expect(item(seen.drawn.menu, 'open_at_login')?.checked).toBe(true);
  expect(openSettings(join(home, 'desktop.json')).values).toMatchObject({ open_at_login: true, theme: 'dark' });
});

test('zoom goes in steps, ends somewhere and is kept', () => {
  for (let times = 0; times < 40; times++) controller.zoom('zoom-in');
  expect(settings.values.zoom).toBe(6);
  controller.zoom('zoom-out');
  expect(seen.did.at(-1)).toBe('zoom 5.5');
  controller.zoom('zoom-reset');
  expect(openSettings(join(home, 'desktop.json')).values.zoom).toBe(0);
});

test('a file of one trace shows it, one of none says why, and a declined choice is nothing', async () => {
  await controller.run(key('open-file'));
  expect(seen.did).toEqual([]);
  const span = {
    traceId: a,
    spanId: 'b'.repeat(16),
    name: 'x',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
  };
  seen.looks.file = join(home, 'x.json');
  writeFileSync(seen.looks.file, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  await controller.run(key('open-file'));
  expect(seen.did).toEqual([`show #/traces/${a}`]);
  await controller.open([{ file: join(home, 'none.json') }]);
  expect(asked.map(({ message }) => message)).toEqual(['none.json was not opened']);
});

test('another project is served from then on, and the next time', async () => {
  seen.looks.folder = join(home, 'project');
  mkdirSync(seen.looks.folder);
  writeFileSync(join(seen.looks.folder, 'agentmark.json'), JSON.stringify({ agentmarkPath: '.', note: 'mine' }));
  await controller.run(key('open-project'));
  expect(await (await fetch(new URL('/v1/config', gateway.url))).text()).toContain('mine');
  expect(openSettings(join(home, 'desktop.json')).values.project).toBe(seen.looks.folder);
});

test('the ports of OTLP are open from the start, until the settings say otherwise', async () => {
  expect(gateway.otlpPorts).toEqual({ grpc: expect.any(Number), http: expect.any(Number) });
  controller.set({ otlp_ports: false });
  await vi.waitFor(() => expect(gateway.otlpPorts).toEqual({ grpc: null, http: null }), { timeout: 120_000 });
  expect(openSettings(join(home, 'desktop.json')).values.otlp_ports).toBe(false);
  expect(asked).toEqual([]);
});

test('a port of OTLP that is taken costs that port: the menu says so, and a question only whoever asked for it', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  controller.stop();
  controller = controllerWith({ grpc: 0, http: port });
  await controller.start();
  expect(gateway.otlpPorts).toEqual({ grpc: expect.any(Number), http: null });
  expect(item(seen.drawn.menu, 'otlp-ports')?.label).toContain(`(taken: ${port})`);
  expect(asked).toEqual([]);
  controller.set({ otlp_ports: false });
  controller.set({ otlp_ports: true });
  await vi.waitFor(() => expect(asked.map(({ message }) => message)).toEqual(['Not all ports can be had']), { timeout: 120_000 });
  expect(asked[0]?.detail).toContain(`Port ${port} for OTLP/HTTP is taken by another program.`);
  expect(settings.values.otlp_ports).toBe(true);
  squatter.close();
});

test('the window is asked for while the store is still being opened', async () => {
  const order: string[] = [];
  const windows = { prepare: () => order.push('window'), show: () => {}, open: () => {}, zoom: () => {}, say: () => {} };
  const isAsked = Promise.withResolvers<void>();
  const host = {
    start: async ({ listening }: { listening?: (port: number) => void }) => {
      listening?.(gateway.port);
      await isAsked.promise;
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
    windowsOn: () => ({
      ...windows,
      prepare: () => {
        windows.prepare();
        isAsked.resolve();
      },
    }),
    shellOf: () => seen.shell,
    drawMenu: () => {},
    takeTheme: () => {},
    copy: () => {},
    serve: () => order.push('bridge'),
  } satisfies DesktopHost;
  const running = await openDesktop({ port: 0, project: undefined, hidden: false, dataDir: home, otlpPorts: { grpc: 0, http: 0 } }, host);
  running?.own?.controller.stop();
  expect(order).toEqual(['window', 'store', 'bridge']);
});
