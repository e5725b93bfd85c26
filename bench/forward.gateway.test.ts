/** A short run of each rig, so that they hold on every `npm test`; `npm run test:forward` takes the long ones. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { runChaos } from './forward/run-chaos.ts';
import { runKills } from './forward/run-kills.ts';
import { compareStores } from './forward/same-spans.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';

const say = () => {};
const same = { missing: 0, foreign: 0, twice: 0 };

test('over a line of chaos the cloud has what is here, once, as it was sent', async () => {
  const { sameness, different, looked, fates } = await runChaos({ spans: 4_000, seed: 'test', say });
  expect(sameness).toMatchObject({ ...same, cloud: sameness.local });
  expect(sameness.local).toBeGreaterThanOrEqual(4_000);
  expect([different, looked]).toEqual([0, 300]);
  expect(fates.passed).toBeGreaterThan(0);
});

test('whoever is killed, what was acknowledged here is in the cloud, once', async () => {
  const { sameness, acknowledged, kills } = await runKills({ cycles: 3, seed: 'test', say });
  expect(sameness).toMatchObject({ ...same, cloud: sameness.local });
  expect([sameness.local >= acknowledged, kills.sender + kills.receiver >= 3]).toEqual([true, true]);
});

test('the comparison sees what is missing, and what is foreign', () => {
  const folder = makeScratchFolder('compare');
  const store = (name: string, spans: number[]) => {
    const db = new Database(join(folder, `${name}.db`));
    db.exec('CREATE TABLE trace (id INTEGER, trace_id TEXT); CREATE TABLE span (trace INTEGER, span_id INTEGER, flags INTEGER)');
    db.exec("INSERT INTO trace VALUES (1, 'a')");
    for (const span of spans) db.prepare('INSERT INTO span VALUES (1, ?, 0)').run(span);
    db.close();
    return join(folder, `${name}.db`);
  };
  try {
    const counted = compareStores(store('here', [1, 2, 3]), store('there', [2, 3, 3, 4]));
    expect(counted).toEqual({ local: 3, cloud: 4, missing: 1, foreign: 1, twice: 1 });
  } finally {
    removeFolder(folder);
  }
});
