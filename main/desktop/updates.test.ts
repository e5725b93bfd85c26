import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Question } from './ask.ts';
import { dayMs, Updates } from './updates.ts';

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-updates-'));
let file = '';
let count = 0;
afterEach(() => rmSync(file, { force: true }));

/** @param answers labels of buttons, in the order asked; when they run out, the last button is chosen, as Escape does */
function setUp(found: string | null | Error, answers: string[] = [], downloadError: Error | null = null) {
  const log: string[] = [];
  const settle = <T>(what: T | Error): Promise<T> => (what instanceof Error ? Promise.reject(what) : Promise.resolve(what));
  const state = { found, now: 1e12 };
  const make = () =>
    new Updates({
      updater: {
        find: () => {
          log.push('find');
          return settle(state.found);
        },
        fetch: () => {
          log.push('fetch');
          return settle(downloadError as null).then(() => {});
        },
      },
      ask: ({ message, buttons }: Question) => {
        log.push(message);
        const wanted = answers[0] !== undefined && buttons.includes(answers[0]) ? answers.shift() : undefined;
        return Promise.resolve(wanted === undefined ? buttons.length - 1 : buttons.indexOf(wanted));
      },
      file,
      version: '1.0.0',
      quit: () => void log.push('quit'),
      now: () => state.now,
    });
  return { log, state, make };
}

const newFile = () => {
  file = join(folder, `updates-${count++}.json`);
};
const daily = 'Check for updates once a day?';

it('makes no network request until the user checks for updates', async () => {
  newFile();
  const { log, make } = setUp('2.0.0');
  await make().checkWhenDue();
  expect(log).toEqual([]);
});

it('says that there is nothing newer, asks once whether to check daily, and saves the answer', async () => {
  newFile();
  const { log, make } = setUp(null);
  await make().check();
  await make().check();
  expect(log).toEqual(['find', 'Glasshouse is up to date', daily, 'find', 'Glasshouse is up to date']);
});

it('downloads nothing that the user refuses', async () => {
  for (const answer of ['Skip this version', 'Not now']) {
    newFile();
    const { log, make } = setUp('2.0.0', [answer]);
    await make().check();
    expect(log).toEqual(['find', 'Glasshouse 2.0.0 is available', daily]);
  }
});

it('a scheduled check reports neither a skipped version nor errors, but does report the next version', async () => {
  newFile();
  const { log, state, make } = setUp('2.0.0', ['Skip this version', 'Check once a day']);
  await make().check();
  log.length = 0;
  for (const found of ['2.0.0', new Error('offline'), null, '2.1.0']) {
    state.now += dayMs;
    state.found = found;
    await make().checkWhenDue();
  }
  expect(log).toEqual(['find', 'find', 'find', 'find', 'Glasshouse 2.1.0 is available']);
});

it('checks once a day at most, however often the app starts', async () => {
  newFile();
  const { log, state, make } = setUp(null, ['Check once a day']);
  await make().check();
  log.length = 0;
  state.now += dayMs - 1;
  await make().checkWhenDue();
  expect(log).toEqual([]);
  state.now += 1;
  await make().checkWhenDue();
  await make().checkWhenDue();
  expect(log).toEqual(['find']);
});

it('quits only when the user says so, and does not download twice', async () => {
  newFile();
  const { log, make } = setUp('2.0.0', ['Download', 'Later', 'Only when I ask', 'Quit now']);
  const updates = make();
  await updates.check();
  const ready = 'The update is installed when you quit';
  expect(log).toEqual(['find', 'Glasshouse 2.0.0 is available', 'fetch', ready, daily]);
  await updates.check();
  expect(log.slice(5)).toEqual([ready, 'quit']);
});

it('says why an update cannot be found or downloaded, and can try again', async () => {
  newFile();
  const { log, state, make } = setUp(new Error('no route'), ['Download'], new Error('bad signature'));
  const updates = make();
  await updates.check();
  state.found = '2.0.0';
  await updates.check();
  expect(log).toEqual([
    'find',
    'Could not check for updates',
    daily,
    'find',
    'Glasshouse 2.0.0 is available',
    'fetch',
    'Glasshouse 2.0.0 could not be downloaded',
  ]);
});

it('two checks at the same time make one request', async () => {
  newFile();
  const { log, make } = setUp(null);
  const updates = make();
  await Promise.all([updates.check(), updates.check()]);
  expect(log.filter((entry) => entry === 'find')).toHaveLength(1);
});
