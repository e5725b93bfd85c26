/** A short run of each forwarding test in `npm test`; `npm run test:forward` runs the long ones. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { runChaos } from './forward/run-chaos.ts';
import { runKills } from './forward/run-kills.ts';
import { compareStores } from './forward/same-spans.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';

const log = () => {};
const same = { missing: 0, extra: 0, duplicates: 0 };

test('over an unreliable connection the cloud gets every span once and unchanged', async () => {
  const { comparison, different, compared, fates } = await runChaos({ spans: 4_000, seed: 'test', log });
  expect(comparison).toMatchObject({ ...same, cloud: comparison.local });
  expect(comparison.local).toBeGreaterThanOrEqual(4_000);
  expect([different, compared]).toEqual([0, 300]);
  expect(fates.passed).toBeGreaterThan(0);
});

test('when either gateway is killed, the cloud has every acknowledged span once', async () => {
  const { comparison, acknowledged, kills } = await runKills({ cycles: 3, seed: 'test', log });
  expect(comparison).toMatchObject({ ...same, cloud: comparison.local });
  expect([comparison.local >= acknowledged, kills.sender + kills.receiver >= 3]).toEqual([true, true]);
});

test('the comparison finds missing, extra and duplicate spans', () => {
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
    const comparison = compareStores(store('here', [1, 2, 3]), store('there', [2, 3, 3, 4]));
    expect(comparison).toEqual({ local: 3, cloud: 4, missing: 1, extra: 1, duplicates: 1 });
  } finally {
    removeFolder(folder);
  }
});
