import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnosticsText } from './diagnostics.ts';
import { addressesOf, type HelpOptions, helpItems } from './help.ts';

const diagnosed = {
  version: '1.2.3',
  isPackaged: true,
  versions: { electron: '45.4.1', chrome: '150', node: '24' },
  platform: 'win32',
  arch: 'x64',
  release: '10.0',
  isSandboxed: true,
  dataDir: 'C:\\Users\\ada\\AppData\\Glasshouse',
  home: 'C:\\Users\\ada',
  settings: '{ "project": "C:\\\\Users\\\\ada\\\\work" }\n',
  crashes: ['reports/1.dmp'],
  log: [
    '2026-11-01T00:00:00.000Z started',
    'cannot open C:\\Users\\ada\\x',
    'at run (file:///C:/Users/Ada/app/index.js:1:2)',
    'C:\\Users\\adam',
  ],
} as const;

test('diagnostics tell versions, settings, crashes and the log, and not who the user is', () => {
  const text = diagnosticsText(diagnosed);
  for (const part of [
    'Glasshouse 1.2.3\n',
    'Electron 45.4.1',
    'win32 x64 10.0',
    'reports/1.dmp',
    '~\\\\work',
    'cannot open ~\\x',
    'file:///~/app',
    'Users\\adam',
  ])
    expect(text).toContain(part);
  expect(text.replace('adam', '')).not.toMatch(/ada/i);
  expect(diagnosticsText({ ...diagnosed, home: '/home/jürgen', log: ['file:///home/j%C3%BCrgen/a.js'] })).toContain('file://~/a.js');
  expect(diagnosticsText({ ...diagnosed, isSandboxed: false, isPackaged: false })).toMatch(/from sources[\s\S]+Sandbox: OFF/);
});

function help(changes: Partial<HelpOptions> = {}) {
  const calls: string[] = [];
  const items = helpItems({
    version: '1.2.3',
    platform: 'linux',
    addresses: {},
    isSandboxed: true,
    ask: async ({ message }) => calls.push(message),
    openLogs: () => calls.push('logs'),
    copyDiagnostics: () => calls.push('diagnostics'),
    openExternal: (url) => calls.push(url),
    ...changes,
  });
  for (const { click } of items) click?.();
  return { calls, labels: items.flatMap(({ label, role }) => label ?? role ?? []) };
}

test('help shows the version, opens the logs and copies diagnostics', () => {
  expect(help()).toEqual({ calls: ['logs', 'diagnostics'], labels: ['Open logs', 'Copy diagnostics', 'Version 1.2.3', 'about'] });
  expect(help({ platform: 'darwin' }).labels).not.toContain('about');
});

test('a window without a sandbox is told, and addresses of the owner are opened', () => {
  const addresses = addressesOf('{"homepage":"https://docs.test","bugs":{"url":"https://bugs.test"}}');
  expect(help({ isSandboxed: false, addresses }).calls).toEqual([
    'https://docs.test',
    'https://bugs.test',
    'logs',
    'diagnostics',
    "The app runs without Chromium's sandbox",
  ]);
  expect([addressesOf('{}'), addressesOf('{"homepage":"javascript:1","bugs":"https://bugs.test"}')]).toEqual([
    {},
    { bugs: 'https://bugs.test' },
  ]);
});

test('the id for notifications on Windows is that of the installer', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  const appId = /^appId: (\S+)$/m.exec(read('electron-builder.yml'))?.[1];
  expect(read('main/index.ts')).toContain(`const appId = '${appId}';`);
});
