import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { checkLists, checkTraces } from './crash/check-store.ts';
import { CrashClient } from './crash/client.ts';
import { Ledger } from './crash/ledger.ts';
import { runCrash } from './crash/run-crash.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder } from './gateway/scratch-folder.ts';

const folders: string[] = [];

function scratch(): string {
  const folder = makeScratchFolder('crash-test');
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test('no acknowledged span is lost or doubled when the gateway is killed under load', { timeout: 120_000 }, async () => {
  const result = await runCrash({ cycles: 3, clients: 4, seed: 'ci', dataDir: scratch(), log: () => {} });
  expect(result.problems).toEqual([]);
  expect(result.ackedSpans).toBeGreaterThan(100);
  expect(result.storedSpans).toBeGreaterThanOrEqual(result.ackedSpans);
});

/** Loads a gateway for a moment, stops it, lets somebody at its file, and answers what the check then says. */
async function problemsAfter(tampering: string): Promise<string[]> {
  const [dataDir, ledger, problems] = [scratch(), new Ledger(), [] as string[]];
  const complain = (problem: string): void => void problems.push(problem);
  let gateway = spawnGateway(dataDir);
  const client = new CrashClient('tamper', 0, ledger, complain);
  const loading = client.load(await gateway.ready);
  await new Promise((resolve) => setTimeout(resolve, 400));
  client.stop();
  await loading;
  await gateway.stop();
  const db = new Database(join(dataDir, 'telemetry.db'));
  db.exec(tampering);
  db.close();
  gateway = spawnGateway(dataDir);
  const http = new HttpClient(await gateway.ready);
  try {
    await checkTraces(http, ledger, ledger.traces.keys(), complain);
    await checkLists(http, ledger, complain);
  } finally {
    http.close();
    await gateway.stop();
  }
  return problems;
}

test('the check sees a span that is gone, a sum that is wrong and a payload that is another', { timeout: 120_000 }, async () => {
  expect(await problemsAfter('SELECT 1')).toEqual([]);
  expect((await problemsAfter('DELETE FROM span WHERE id = 3')).join('\n')).toContain('was acknowledged and is lost');
  expect((await problemsAfter('UPDATE trace SET tokens = tokens + 1 WHERE id = 1')).join('\n')).toContain('tokens is');
  const swapped = await problemsAfter('UPDATE span SET at = (SELECT at FROM span WHERE id = 2), size = (SELECT size FROM span WHERE id = 2) WHERE id = 1');
  expect(swapped.join('\n')).toContain('a text of digest');
});
