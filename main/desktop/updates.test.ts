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
function anApp(found: string | null | Error, answers: string[] = [], fetched: Error | null = null) {
  const log: string[] = [];
  const give = <T>(what: T | Error): Promise<T> => (what instanceof Error ? Promise.reject(what) : Promise.resolve(what));
  const state = { found, now: 1e12 };
  const make = () =>
    new Updates({
      updater: {
        find: () => {
          log.push('find');
          return give(state.found);
        },
        fetch: () => {
          log.push('fetch');
          return give(fetched as null).then(() => {});
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

const aFile = () => {
  file = join(folder, `updates-${count++}.json`);
};
const daily = 'Look for updates once a day?';

it('asks nobody over the network until the user did', async () => {
  aFile();
  const { log, make } = anApp('2.0.0');
  await make().checkWhenDue();
  expect(log).toEqual([]);
});

it('says that there is nothing newer, asks once whether to look daily, and keeps the answer', async () => {
  aFile();
  const { log, make } = anApp(null);
  await make().check();
  await make().check();
  expect(log).toEqual(['find', 'Glasshouse is up to date', daily, 'find', 'Glasshouse is up to date']);
});

it('fetches nothing that is refused', async () => {
  for (const answer of ['Skip this version', 'Not now']) {
    aFile();
    const { log, make } = anApp('2.0.0', [answer]);
    await make().check();
    expect(log).toEqual(['find', 'Glasshouse 2.0.0 is there', daily]);
  }
});

it('is silent by itself about a version that was skipped, and about errors, but not about the next version', async () => {
  aFile();
  const { log, state, make } = anApp('2.0.0', ['Skip this version', 'Look once a day']);
  await make().check();
  log.length = 0;
  for (const found of ['2.0.0', new Error('offline'), null, '2.1.0']) {
    state.now += dayMs;
    state.found = found;
    await make().checkWhenDue();
  }
  expect(log).toEqual(['find', 'find', 'find', 'find', 'Glasshouse 2.1.0 is there']);
});

it('looks once a day and not oftener, however often the app starts', async () => {
  aFile();
  const { log, state, make } = anApp(null, ['Look once a day']);
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

it('quits only when the user says so, and does not fetch twice', async () => {
  aFile();
  const { log, make } = anApp('2.0.0', ['Fetch', 'Later', 'Only when I ask', 'Quit now']);
  const updates = make();
  await updates.check();
  const ready = 'The update is installed when you quit';
  expect(log).toEqual(['find', 'Glasshouse 2.0.0 is there', 'fetch', ready, daily]);
  await updates.check();
  expect(log.slice(5)).toEqual([ready, 'quit']);
});

it('says why an update cannot be found or fetched, and is usable again', async () => {
  aFile();
  const { log, state, make } = anApp(new Error('no route'), ['Fetch'], new Error('bad signature'));
  const updates = make();
  await updates.check();
  state.found = '2.0.0';
  await updates.check();
  expect(log).toEqual([
    'find',
    'Updates could not be looked for',
    daily,
    'find',
    'Glasshouse 2.0.0 is there',
    'fetch',
    'Glasshouse 2.0.0 could not be fetched',
  ]);
});

it('looks once when asked twice at a time', async () => {
  aFile();
  const { log, make } = anApp(null);
  const updates = make();
  await Promise.all([updates.check(), updates.check()]);
  expect(log.filter((entry) => entry === 'find')).toHaveLength(1);
});
