import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ElectronExit, exitCodeOf, failedToStart, installedElectron, type Machine, whyNoSandbox, whyNoWindow } from './launch.ts';

const linux: Machine = { platform: 'linux', env: { DISPLAY: ':0' }, uid: 1000, args: [] };

test.each<[string, Partial<Machine>, string | undefined]>([
  ['Linux with X', {}, undefined],
  ['Linux with Wayland only', { env: { WAYLAND_DISPLAY: 'wayland-0' } }, undefined],
  ['Linux without either', { env: {} }, 'no display'],
  ['Linux with empty ones', { env: { DISPLAY: '', WAYLAND_DISPLAY: '' } }, 'no display'],
  ['root on Linux', { uid: 0 }, 'root'],
  ['root without the sandbox', { uid: 0, args: ['--no-sandbox'] }, undefined],
  ['FreeBSD without a display', { platform: 'freebsd', env: {} }, 'no display'],
  ['a Mac', { platform: 'darwin', env: {}, uid: 501 }, undefined],
  ['Windows', { platform: 'win32', env: {}, uid: undefined }, undefined],
])('a window on %s', (_, machine, why) => {
  const reason = whyNoWindow({ ...linux, ...machine });
  if (why === undefined) expect(reason).toBeUndefined();
  else expect(reason).toContain(why);
});

test('a system that forbids the sandbox to an unpacked Electron is named, with what helps', () => {
  expect(whyNoSandbox('1\n')).toContain('sysctl -w kernel.apparmor_restrict_unprivileged_userns=0');
  expect([whyNoSandbox('0\n'), whyNoSandbox(undefined)]).toEqual([undefined, undefined]);
});

describe('the installed Electron', () => {
  let root: string;
  const home = () => join(root, 'node_modules/electron');

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'glasshouse-launch-'));
    mkdirSync(join(home(), 'dist'), { recursive: true });
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test('is unknown when nothing was downloaded', () => expect(installedElectron(root, {})).toBeUndefined());

  test('is unknown when its download was interrupted', () => {
    writeFileSync(join(home(), 'path.txt'), 'electron');
    expect(installedElectron(root, {})).toBeUndefined();
  });

  test('is what path.txt names, or the same below the override', () => {
    writeFileSync(join(home(), 'dist/electron'), '');
    expect(installedElectron(root, {})).toBe(join(home(), 'dist/electron'));
    expect(installedElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: join(home(), 'dist') })).toBe(join(home(), 'dist/electron'));
    expect(installedElectron(root, { ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' })).toBeUndefined();
  });
});

const exit: ElectronExit = { code: 0, signal: null, afterMs: 800, isRequested: false };

test.each<[string, Partial<ElectronExit>, boolean]>([
  ['a second launch that woke the first', {}, false],
  ['a missing library', { code: 127 }, true],
  ['a display that refuses', { code: 1 }, true],
  ['a forbidden sandbox', { code: null, signal: 'SIGTRAP' }, true],
  ['the same, reported by a shell', { code: 133 }, true],
  ['a gateway that could not start', { code: 2 }, false],
  ['a crash after an hour', { code: null, signal: 'SIGSEGV', afterMs: 3_600_000 }, false],
  ['Ctrl-C at once', { code: null, signal: 'SIGTERM', isRequested: true }, false],
])('whether to go on without a window after %s', (_, how, expected) => {
  expect(failedToStart({ ...exit, ...how })).toBe(expected);
});

test('an exit by signal has the exit code that a shell reports', () => {
  expect(exitCodeOf({ code: null, signal: 'SIGTERM' })).toBe(143);
  expect(exitCodeOf({ code: 3, signal: null })).toBe(3);
});
