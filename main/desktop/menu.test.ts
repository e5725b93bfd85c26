import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopKeys } from '../../shared/desktop-keys.ts';
import { acceleratorOf, type Commands, type Item, type MenuState, menuTemplate, strangerMenu } from './menu.ts';
import { openSettings } from './settings.ts';
import { trayTemplate, trayTooltip } from './tray.ts';

const home = mkdtempSync(join(tmpdir(), 'glasshouse-menu-'));
const { values: settings } = openSettings(join(home, 'none.json'));
rmSync(home, { recursive: true });

const state: MenuState = {
  platform: 'linux',
  isPackaged: true,
  settings,
  isPaused: false,
  setUpLine: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9418',
  portsTaken: [],
  extra: [{ id: 'updates', label: 'Look for updates…' }],
};

function recorder() {
  const did: string[] = [];
  const commands: Commands = {
    run: (key) => did.push(`run ${key.id}`),
    copySetUpLine: () => did.push('copy'),
    revealData: () => did.push('reveal'),
    pause: (isPaused) => did.push(`pause ${isPaused}`),
    set: (some) => did.push(`set ${JSON.stringify(some)}`),
  };
  return { did, commands };
}

const flat = (items: readonly Item[]): Item[] => items.flatMap((item) => [item, ...flat(item.submenu ?? [])]);

test.each(['linux', 'win32', 'darwin'] as const)('on %s every command is there once, and no accelerator twice', (platform) => {
  const items = flat(menuTemplate({ ...state, platform }, recorder().commands));
  const ids = items.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(
    expect.arrayContaining([...desktopKeys.map(({ id }) => id), 'reveal-data', 'settings', 'pause', 'otlp-ports', 'updates']),
  );
  const keys = items.flatMap(({ accelerator }) => accelerator ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  expect(items.some(({ role }) => role === 'quit')).toBe(true);
});

test('a Mac has its own first menu, and the tools of developers are for development', () => {
  const commands = recorder().commands;
  expect(menuTemplate({ ...state, platform: 'darwin' }, commands)[0]?.label).toBe('Glasshouse');
  expect(menuTemplate(state, commands)[0]?.label).toBe('File');
  const tools = (isPackaged: boolean) =>
    flat(menuTemplate({ ...state, isPackaged }, commands)).some(({ role }) => role === 'toggleDevTools');
  expect([tools(true), tools(false)]).toEqual([false, true]);
});

test('every item does what it says', () => {
  const { did, commands } = recorder();
  for (const item of flat(menuTemplate(state, commands))) item.click?.();
  expect(did).toEqual(expect.arrayContaining([...desktopKeys.map(({ id }) => `run ${id}`), 'copy', 'reveal', 'pause true']));
  expect(did).toEqual(expect.arrayContaining(['set {"notify_errors":false}', 'set {"open_at_login":true}', 'set {"otlp_ports":false}']));
});

test.each([
  ['Mod+o', 'CommandOrControl+O'],
  ['Mod+Shift+o', 'CommandOrControl+Shift+O'],
  ['Mod++', 'CommandOrControl+Plus'],
  ['Mod+-', 'CommandOrControl+-'],
  ['Mod+1', 'CommandOrControl+1'],
])('%s of the key sheet is %s of the menu', (keys, accelerator) => expect(acceleratorOf(keys)).toBe(accelerator));

test("another's gateway has nothing to set", () => {
  expect(
    flat(strangerMenu(true))
      .flatMap(({ id, click }) => [id, click])
      .filter((one) => one !== undefined && one !== 'edit'),
  ).toEqual([]);
});

test('the tray counts, pauses and resumes, and names failures that nobody looked at', () => {
  const did: string[] = [];
  const commands = {
    show: () => did.push('show'),
    pause: (is: boolean) => did.push(`pause ${is}`),
    copySetUpLine: () => did.push('copy'),
    quit: () => did.push('quit'),
  };
  const tray = { traces: 1, spans: 12_345, unseen: 0, isPaused: false, setUpLine: 'LINE' };
  const items = trayTemplate(tray, commands);
  expect(items.flatMap(({ label }) => label ?? [])).toEqual([
    'Open Glasshouse',
    '1 trace, 12,345 spans since it began',
    'Pause receiving',
    'Copy LINE',
    'Quit',
  ]);
  for (const item of items) item.click?.();
  expect(did).toEqual(['show', 'pause true', 'copy', 'quit']);
  const busy = trayTemplate({ ...tray, unseen: 2, isPaused: true }, commands);
  expect(busy.find(({ id }) => id === 'unseen')?.label).toBe('2 failed traces not looked at');
  expect(busy.find(({ id }) => id === 'pause')?.checked).toBe(true);
  expect(trayTooltip({ ...tray, isPaused: true })).toBe('Glasshouse: paused, 1 trace, 12,345 spans since it began');
});
