/** The command in the PATH, on a real file system and run by a real shell. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Question } from './ask.ts';
import { type CommandPlaces, commandFolders, findCommand, installCommand, removeCommand, renewCommand } from './command-in-path.ts';
import { launcherText } from './command-launcher.ts';
import { commandItem } from './offer-command.ts';

let box: string;
let places: CommandPlaces;
let first: string;
let second: string;

beforeEach(() => {
  // A home folder may have any name.
  box = mkdtempSync(join(tmpdir(), "glass house's $(touch x) 50%-"));
  const source = join(box, 'app/command');
  mkdirSync(join(source, 'node_modules/part'), { recursive: true });
  writeFileSync(join(source, 'glasshouse.cjs'), `console.log(JSON.stringify([process.env.GLASSHOUSE_APP, ...process.argv.slice(2)]))`);
  [first, second] = [join(box, 'one'), join(box, 'home/.local/bin')];
  mkdirSync(first);
  const app = join(box, 'app/glasshouse-desktop');
  places = { platform: 'linux', version: '1.0.0', app, source, home: join(box, 'data/command'), folders: [first, second] };
  mkdirSync(dirname(places.home));
});
afterEach(() => {
  for (const folder of [first, second]) if (existsSync(folder)) chmodSync(folder, 0o755);
  rmSync(box, { recursive: true });
});

/** Root may write everywhere, so the folder is replaced by a file. */
const makeUnwritable = (folder: string) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, '');
};
const installed = (folder: string) => ({ kind: 'installed', path: join(folder, 'glasshouse') });
const run = (path: string, ...words: string[]) =>
  spawnSync(path, words, { encoding: 'utf8', env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` } });

describe('installing', () => {
  test('puts a launcher, which passes its arguments on unchanged, into the first writable folder', () => {
    expect(installCommand(places)).toEqual(installed(first));
    const words = ['open', 'a b', "it's", '$(touch x)', '*', ''];
    const { stdout, stderr, status } = run(join(first, 'glasshouse'), ...words);
    expect([JSON.parse(stdout), stderr, status]).toEqual([[places.app, ...words], '', 0]);
    expect(existsSync(second)).toBe(false);
    expect(statSync(join(first, 'glasshouse')).mode & 0o777).toBe(0o755 & ~process.umask());
  });

  test('creates the folder of the user where the first is not writable', () => {
    makeUnwritable(first);
    expect(installCommand(places)).toEqual(installed(second));
    expect(run(join(second, 'glasshouse')).status).toBe(0);
  });

  test('is idempotent, and leaves the launcher in its folder', () => {
    makeUnwritable(first);
    installCommand(places);
    rmSync(first);
    mkdirSync(first);
    expect(installCommand(places)).toEqual(installed(second));
    expect(existsSync(join(first, 'glasshouse'))).toBe(false);
  });

  test('prepares a launcher where no folder is writable', () => {
    for (const folder of places.folders) makeUnwritable(folder);
    const prepared = join(places.home, 'bin/glasshouse');
    expect(installCommand(places)).toEqual({ kind: 'denied', prepared });
    expect(run(prepared, 'x').stdout).toContain('"x"');
  });

  test('outlives the app, and says what to do when its own files are gone', () => {
    installCommand(places);
    rmSync(join(box, 'app'), { recursive: true });
    expect(run(join(first, 'glasshouse')).status).toBe(0);
    rmSync(places.home, { recursive: true });
    expect(run(join(first, 'glasshouse'))).toMatchObject({ status: 127, stderr: expect.stringContaining('from its menu') });
  });
});

describe('a file of that name that is not ours', () => {
  const theirs: Record<string, (path: string) => unknown> = {
    'another program': (path) => writeFileSync(path, '#!/bin/sh\necho theirs\n'),
    'a link of npm': (path) => symlinkSync(join(box, 'app/command/glasshouse.cjs'), path),
    'a link to nothing': (path) => symlinkSync(join(box, 'none'), path),
    'a link to one of ours': (path) => {
      writeFileSync(join(box, 'ours'), launcherText({ ...places, program: 'x' }));
      symlinkSync(join(box, 'ours'), path);
    },
    'a folder': (path) => mkdirSync(path),
  };
  test.each(Object.keys(theirs))('%s is found, and neither replaced nor removed', (name) => {
    for (const folder of [first, second]) {
      mkdirSync(folder, { recursive: true });
      const path = join(folder, 'glasshouse');
      theirs[name]?.(path);
      const before = lstatSync(path);
      expect(installCommand(places)).toEqual({ kind: 'foreign', path });
      renewCommand(places);
      expect(removeCommand(places)).toBeNull();
      expect(lstatSync(path)).toMatchObject({ ino: before.ino, size: before.size, mtimeMs: before.mtimeMs });
      expect(existsSync(places.home)).toBe(false);
      rmSync(path, { recursive: true });
    }
  });
});

test('removing leaves nothing, and removing twice is no error', () => {
  installCommand(places);
  expect([removeCommand(places), removeCommand(places)]).toEqual([null, null]);
  expect([existsSync(join(first, 'glasshouse')), existsSync(places.home), findCommand(places)]).toEqual([false, false, { kind: 'absent' }]);
});

test('a launcher is renewed after an update or a move, and left alone otherwise and for another data folder', () => {
  renewCommand(places);
  expect(findCommand(places)).toEqual({ kind: 'absent' });
  installCommand(places);
  const path = join(first, 'glasshouse');
  const inode = () => statSync(path).ino;
  const before = inode();
  renewCommand(places);
  expect(inode()).toBe(before);
  renewCommand({ ...places, version: '2.0.0', home: join(box, 'other/command') });
  expect(inode()).toBe(before);
  renewCommand({ ...places, version: '2.0.0', app: '/moved' });
  expect(JSON.parse(run(path).stdout)).toEqual(['/moved']);
});

test('Windows gets a batch file beside what it starts', () => {
  const folders = commandFolders('win32', 'C:\\Users\\me', places.home);
  expect(folders).toEqual([join(places.home, 'bin')]);
  expect(installCommand({ ...places, platform: 'win32', folders })).toEqual({
    kind: 'installed',
    path: join(places.home, 'bin/glasshouse.cmd'),
  });
  const text = readFileSync(join(places.home, 'bin/glasshouse.cmd'), 'utf8');
  expect(text).toMatch(/^@echo off\r\nrem /);
  expect(text).toContain('50%%-');
  expect(removeCommand({ ...places, platform: 'win32', folders })).toBeNull();
  expect(existsSync(places.home)).toBe(false);
});

describe('the item of the menu', () => {
  const questions: Question[] = [];
  const copied: string[] = [];
  const clickItem = async (commandPlaces: CommandPlaces | undefined, answers: number[], path?: string) => {
    questions.length = 0;
    copied.length = 0;
    const done = Promise.withResolvers<void>();
    const ask = async (question: Question) => {
      questions.push(question);
      const answer = answers.shift() ?? question.buttons.length - 1;
      if (question.buttons.at(-1) === 'Close' || answer !== 0) setTimeout(done.resolve, 20);
      return answer;
    };
    commandItem({ ask, copy: (text) => copied.push(text), path, places: commandPlaces }).click?.();
    await done.promise;
    return questions.map(({ message }) => message);
  };

  test('installs, says so, and offers to remove what is there', async () => {
    expect(await clickItem(places, [0], first)).toEqual(["Install the 'glasshouse' command?", "The 'glasshouse' command is installed"]);
    expect(questions[1]?.buttons).toEqual(['Close']);
    expect(await clickItem(places, [])).toEqual(["The 'glasshouse' command is installed"]);
    expect(findCommand(places)).toEqual(installed(first));
    expect((await clickItem(places, [0])).at(-1)).toBe("The 'glasshouse' command is removed");
    expect(findCommand(places)).toEqual({ kind: 'absent' });
  });

  test('does nothing that was declined', async () => {
    await clickItem(places, [1]);
    expect(existsSync(places.home)).toBe(false);
  });

  test('shows the line that puts its folder on the PATH, and the line for sudo', async () => {
    await clickItem(places, [0, 0], '/usr/bin');
    const { stdout } = spawnSync('/bin/sh', ['-c', `${copied[0]}; command -v glasshouse`], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    expect(stdout.trim()).toBe(join(first, 'glasshouse'));
    removeCommand(places);
    for (const folder of places.folders) makeUnwritable(folder);
    expect((await clickItem(places, [0, 0])).at(-1)).toBe('No folder for the command is writable');
    expect(copied[0]).toMatch(/^sudo install -m 755 '.*' \/usr\/local\/bin\/glasshouse$/);
  });

  test('reports a foreign command, a failure, and an app that runs from its sources', async () => {
    writeFileSync(join(first, 'glasshouse'), 'theirs');
    expect(await clickItem(places, [])).toEqual(["There is another 'glasshouse'"]);
    rmSync(join(first, 'glasshouse'));
    expect((await clickItem({ ...places, source: join(box, 'none') }, [0])).at(-1)).toBe("The 'glasshouse' command could not be changed");
    expect(await clickItem(undefined, [0])).toEqual(['This app runs from its sources']);
    expect(copied).toEqual(['npm link']);
  });
});
