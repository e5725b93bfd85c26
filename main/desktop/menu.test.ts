import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopKeys } from '../../shared/desktop-keys.ts';
import { acceleratorOf, type Commands, type Item, type MenuState, menuTemplate, otherGatewayMenu } from './menu.ts';
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
  extra: [{ id: 'updates', label: 'Check for updates…' }],
  help: [{ id: 'open-logs', label: 'Open logs' }],
};

function recorder() {
  const calls: string[] = [];
  const commands: Commands = {
    run: (key) => calls.push(`run ${key.id}`),
    copySetUpLine: () => calls.push('copy'),
    revealData: () => calls.push('reveal'),
    pause: (isPaused) => calls.push(`pause ${isPaused}`),
    set: (some) => calls.push(`set ${JSON.stringify(some)}`),
  };
  return { calls, commands };
}

const flat = (items: readonly Item[]): Item[] => items.flatMap((item) => [item, ...flat(item.submenu ?? [])]);

test.each(['linux', 'win32', 'darwin'] as const)('on %s every command and every accelerator exists once', (platform) => {
  const items = flat(menuTemplate({ ...state, platform }, recorder().commands));
  const ids = items.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(
    expect.arrayContaining([...desktopKeys.map(({ id }) => id), 'reveal-data', 'settings', 'pause', 'otlp-ports', 'updates', 'open-logs']),
  );
  const keys = items.flatMap(({ accelerator }) => accelerator ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  expect(items.some(({ role }) => role === 'quit')).toBe(true);
});

test('macOS has its own first menu, and developer tools are for development only', () => {
  const commands = recorder().commands;
  expect(menuTemplate({ ...state, platform: 'darwin' }, commands)[0]?.label).toBe('Glasshouse');
  expect(menuTemplate(state, commands)[0]?.label).toBe('File');
  const tools = (isPackaged: boolean) =>
    flat(menuTemplate({ ...state, isPackaged }, commands)).some(({ role }) => role === 'toggleDevTools');
  expect([tools(true), tools(false)]).toEqual([false, true]);
});

test('every item does what it says', () => {
  const { calls, commands } = recorder();
  for (const item of flat(menuTemplate(state, commands))) item.click?.();
  expect(calls).toEqual(expect.arrayContaining([...desktopKeys.map(({ id }) => `run ${id}`), 'copy', 'reveal', 'pause true']));
  expect(calls).toEqual(expect.arrayContaining(['set {"notify_errors":false}', 'set {"open_at_login":true}', 'set {"otlp_ports":false}']));
});

test.each([
  ['Mod+o', 'CommandOrControl+O'],
  ['Mod+Shift+o', 'CommandOrControl+Shift+O'],
  ['Mod++', 'CommandOrControl+Plus'],
  ['Mod+-', 'CommandOrControl+-'],
  ['Mod+1', 'CommandOrControl+1'],
])('%s of the key sheet is %s of the menu', (keys, accelerator) => expect(acceleratorOf(keys)).toBe(accelerator));

test('the menu for another gateway has help, and no settings', () => {
  expect(
    flat(otherGatewayMenu(true, state.help))
      .flatMap(({ id, click }) => [id, click])
      .filter((value) => value !== undefined && value !== 'edit'),
  ).toEqual(['help', 'open-logs']);
});

test('the tray counts, pauses and resumes, and shows unseen failures', () => {
  const calls: string[] = [];
  const commands = {
    show: () => calls.push('show'),
    showSpending: () => calls.push('spending'),
    pause: (is: boolean) => calls.push(`pause ${is}`),
    copySetUpLine: () => calls.push('copy'),
    quit: () => calls.push('quit'),
  };
  const tray = { traces: 1, spans: 12_345, unseen: 0, isPaused: false, setUpLine: 'LINE', budgets: [] };
  const items = trayTemplate(tray, commands);
  expect(items.flatMap(({ label }) => label ?? [])).toEqual([
    'Open Glasshouse',
    '1 trace, 12,345 spans since start',
    'Pause receiving',
    'Copy LINE',
    'Quit',
  ]);
  for (const item of items) item.click?.();
  expect(calls).toEqual(['show', 'pause true', 'copy', 'quit']);
  const busy = trayTemplate({ ...tray, unseen: 2, isPaused: true, budgets: ['$3.00 spent today'] }, commands);
  busy.find(({ label }) => label === '$3.00 spent today')?.click?.();
  expect(calls.at(-1)).toBe('spending');
  expect(busy.find(({ id }) => id === 'unseen')?.label).toBe('2 unseen failed traces');
  expect(busy.find(({ id }) => id === 'pause')?.checked).toBe(true);
  expect(trayTooltip({ ...tray, isPaused: true })).toBe('Glasshouse: paused, 1 trace, 12,345 spans since start');
});
