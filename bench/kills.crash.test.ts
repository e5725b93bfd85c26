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

test('no acknowledged span is lost or duplicated when the gateway is killed under load', async () => {
  const result = await runCrash({ cycles: 3, clients: 4, seed: 'ci', dataDir: scratch(), log: () => {} });
  expect(result.problems).toEqual([]);
  expect(result.ackedSpans).toBeGreaterThan(10);
  expect(result.storedSpans).toBeGreaterThanOrEqual(result.ackedSpans);
});

test('the check finds a missing span, a wrong sum and a wrong payload', async () => {
  const [dataDir, ledger, problems] = [scratch(), new Ledger(), [] as string[]];
  const report = (problem: string): void => void problems.push(problem);
  const check = async (url: string): Promise<void> => {
    const http = new HttpClient(url);
    await checkTraces(http, ledger, ledger.traces.keys(), report);
    await checkLists(http, ledger, report);
    http.close();
  };
  let gateway = spawnGateway(dataDir);
  const client = new CrashClient('tamper', 0, ledger, report);
  const loading = client.load(await gateway.ready);
  await new Promise((resolve) => setTimeout(resolve, 500));
  client.stop();
  await loading;
  await check(await gateway.ready);
  await gateway.stop();
  expect(problems).toEqual([]);

  const db = new Database(join(dataDir, 'telemetry.db'));
  db.exec(`UPDATE span SET (block, at, size) = (SELECT block, at, size FROM span WHERE id = 2) WHERE id = 1;
    DELETE FROM span WHERE id = 3;
    UPDATE trace SET tokens = tokens + 1;`);
  db.close();
  gateway = spawnGateway(dataDir);
  await check(await gateway.ready);
  await gateway.stop();
  const output = problems.join('\n');
  expect(output).toContain('a text with digest');
  expect(output).toContain('was acknowledged and is lost');
  expect(output).toContain('tokens is');
});
