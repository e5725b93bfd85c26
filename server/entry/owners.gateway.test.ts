/** One gateway serves one data folder: a second one exits with a message about the first, and changes nothing. Real processes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { aRepository, isAlive, outputOf, scriptedAgent } from '../fixtures/agent-run-stand.ts';
import { type EntryProcess, runEntry, startEntry } from '../fixtures/entry-process.ts';
import { startWorkerGateway } from '../fixtures/worker-gateway.ts';
import { type Bootstrapped, bootstrap } from './bootstrap.ts';

let folder: string;
let data: string;
const running: EntryProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-owners-'));
  data = join(folder, 'data');
});
afterEach(async () => {
  for (const process of running.splice(0)) await process.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const localWords = (where = data) => ['--port', '0', '--data', where, '--project', folder];
const cloudWords = (where = data) => ['--port', '0', '--host', '127.0.0.1', '--data', where];

async function start(entry: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<EntryProcess & { url: string }> {
  const started = startEntry(entry, words, { env });
  running.push(started);
  return { ...started, url: await started.ready };
}

const owner = { email: 'owner@acme.test', password: 'correct horse' };
const createTeam = () => bootstrap({ dataDir: data, ...owner, tenant: 'acme' });

/** Everything in the folder as it is on disk. */
const onDisk = () =>
  readdirSync(data, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => [name, statSync(join(data, name)).mtimeMs, statSync(join(data, name)).ino, statSync(join(data, name)).size]);

const refusalOf = ({ child, url }: EntryProcess & { url: string }, program: string, where = data) =>
  new RegExp(
    `^The data folder ${where} is in use by ${program} \\(process ${child.pid} on ${hostname()}, port ${new URL(url).port}, ` +
      `running since [-\\dT:]+Z\\): stop that one, open http://localhost:${new URL(url).port}, or choose another folder with --data\\.\\n$`,
  );

const send = async (url: string, traceId: string, headers: Record<string, string> = {}) =>
  (
    await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(aRequest([aSpan({ traceId })])),
    })
  ).status;

const spanCounts = async (url: string, headers: Record<string, string> = {}) => {
  const { data: list } = (await (await fetch(`${url}/v1/traces`, { headers })).json()) as { data: { id: string; span_count: number }[] };
  return Object.fromEntries(list.map(({ id, span_count }) => [id, span_count]));
};

describe('the local gateway', () => {
  it('refuses a folder that another gateway uses, naming it, and gets the folder as soon as that one is killed', async () => {
    const first = await start('gateway.ts', localWords());
    const traceId = aTraceId();
    expect(await send(first.url, traceId)).toBe(200);
    symlinkSync(data, join(folder, 'link'));
    for (const where of [data, join(folder, 'link')]) {
      const refused = await runEntry('gateway.ts', localWords(where));
      expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(refusalOf(first, 'the local gateway', where)) });
      expect(await send(first.url, traceId)).toBe(200);
    }
    await first.end('SIGKILL');
    const second = await start('gateway.ts', localWords());
    expect(await spanCounts(second.url)).toEqual({ [traceId]: 3 });
    expect((await second.end('SIGTERM')).code).toBe(0);
    expect(existsSync(join(data, 'owner.json'))).toBe(false);
  });

  it('refuses the folder of a cloud gateway, and the other way round', async () => {
    await createTeam();
    const cloud = await start('cloud-gateway.ts', cloudWords());
    expect((await runEntry('gateway.ts', localWords())).stderr).toMatch(refusalOf(cloud, 'the cloud gateway'));
    expect((await cloud.end('SIGTERM')).code).toBe(0);
    const local = await start('gateway.ts', localWords());
    expect((await runEntry('cloud-gateway.ts', cloudWords())).stderr).toMatch(refusalOf(local, 'the local gateway'));
  });

  it('reports the folder before the port, when another gateway has both', async () => {
    const first = await start('gateway.ts', localWords());
    const words = ['--port', new URL(first.url).port, '--data', data, '--project', folder];
    expect((await runEntry('gateway.ts', words)).stderr).toMatch(refusalOf(first, 'the local gateway'));
    const elsewhere = ['--port', new URL(first.url).port, '--data', join(folder, 'other'), '--project', folder];
    expect(await runEntry('gateway.ts', elsewhere)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Port \d+ is taken/) });
    // A gateway that did not get the port releases the folder.
    const again = await start('gateway.ts', localWords(join(folder, 'other')));
    expect((await again.end('SIGTERM')).code).toBe(0);
  });
});

describe('the cloud gateway', () => {
  it('changes nothing in the folder when it is refused', async () => {
    const tenant = await createTeam();
    const headers = { Authorization: tenant.api_key, 'X-Service-App-Id': tenant.app_id };
    const first = await start('cloud-gateway.ts', cloudWords());
    const traceId = aTraceId();
    expect(await send(first.url, traceId, headers)).toBe(200);
    // While it is stopped, every change would come from the other one.
    first.child.kill('SIGSTOP');
    const before = onDisk();
    const refused = await runEntry('cloud-gateway.ts', cloudWords());
    expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(refusalOf(first, 'the cloud gateway')) });
    expect(onDisk()).toEqual(before);
    first.child.kill('SIGCONT');
    expect(await send(first.url, traceId, headers)).toBe(200);
    expect(await spanCounts(first.url, headers)).toEqual({ [traceId]: 2 });
  });

  it('does not touch the turn of an agent that another gateway runs', async () => {
    const key: Bootstrapped = await createTeam();
    const repositories = join(folder, 'repositories');
    aRepository(repositories, key.tenant_id, 'team/owls');
    const first = await startWorkerGateway({ dataDir: data, repositories, key });
    try {
      const { run_id } = (await first.client.workerRuns.create({ body: { repo: 'team/owls', task_prompt: 'me\nwait' } })).data;
      const line = await vi.waitUntil(async () => (await outputOf(first.client, run_id)).find((text) => text.startsWith('me ')), {
        timeout: 120_000,
        interval: 50,
      });
      const env = {
        GLASSHOUSE_WORKERS: 'process',
        GLASSHOUSE_WORKER_COMMAND: JSON.stringify(scriptedAgent),
        GLASSHOUSE_WORKER_REPOSITORIES: repositories,
      };
      const refused = await runEntry('cloud-gateway.ts', cloudWords(), { env });
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is in use by the cloud gateway') });
      expect(isAlive(Number(line.split(' ')[1]))).toBe(true);
      expect((await first.client.workerRuns.get({ params: { runId: run_id } })).data.status).toBe('running');
    } finally {
      await first.stop();
    }
  });
});

describe('commands beside a running cloud gateway', () => {
  it('create teams, set passwords and make copies while spans are written, concurrently', async () => {
    const tenant = await createTeam();
    const headers = { Authorization: tenant.api_key, 'X-Service-App-Id': tenant.app_id };
    const gateway = await start('cloud-gateway.ts', cloudWords());
    let isDone = false;
    const traceId = aTraceId();
    const sending = (async () => {
      let sent = 0;
      for (; !isDone; sent++) expect(await send(gateway.url, traceId, headers)).toBe(200);
      return sent;
    })();
    const team = (name: string, email: string) =>
      runEntry('cloud-bootstrap.ts', ['--data', data, '--email', email, '--password', owner.password, '--tenant', name]);
    const copy = join(folder, 'copy');
    const outcomes = await Promise.all([
      team('beta', owner.email),
      team('gamma', 'owner@gamma.test'),
      runEntry('cloud-password.ts', ['--data', data, '--email', 'owner@acme.test']).then(async ({ code }) => ({ code, stderr: '' })),
      runEntry('cloud-backup.ts', ['--data', data, '--to', copy]),
    ]);
    isDone = true;
    const sent = await sending;
    // Whether beta's owner still had the old password depends on the order.
    const [beta, ...others] = outcomes;
    expect(beta?.stderr).toMatch(/^$|this is not its password/);
    expect(others.map(({ code, stderr }) => [code, stderr])).toEqual(others.map(() => [0, '']));
    expect(await spanCounts(gateway.url, headers)).toEqual({ [traceId]: sent });
    expect(readFileSync(join(data, 'owner.json'), 'utf8')).toContain(`"pid":${gateway.child.pid}`);
  });

  it('refuse to copy into a folder that a gateway uses', async () => {
    await createTeam();
    const target = join(folder, 'target');
    const gateway = await start('gateway.ts', localWords(target));
    const cloud = await start('cloud-gateway.ts', cloudWords());
    const refused = await runEntry('cloud-backup.ts', ['--data', data, '--to', target]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`The data folder ${target} is in use by the local gateway (process ${gateway.child.pid} `);
    expect(refused.stderr).toContain('or choose another folder with --to.');
    expect(existsSync(join(target, 'control.db'))).toBe(false);
    expect((await cloud.end('SIGTERM')).code).toBe(0);
  });

  it('refuse to create a control store in the folder of a local gateway', async () => {
    const gateway = await start('gateway.ts', localWords());
    await expect(createTeam()).rejects.toThrow(`is in use by the local gateway (process ${gateway.child.pid} `);
    expect(existsSync(join(data, 'control.db'))).toBe(false);
  });
});

it('teams that are created concurrently in an empty folder are all created', async () => {
  const names = ['acme', 'beta', 'gamma', 'delta'];
  const words = (name: string) => ['--data', data, '--email', `owner@${name}.test`, '--password', owner.password, '--tenant', name];
  const outcomes = await Promise.all(names.map((name) => runEntry('cloud-bootstrap.ts', words(name))));
  expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']));
  expect(new Set(outcomes.map(({ stdout }) => (JSON.parse(stdout) as Bootstrapped).tenant_id)).size).toBe(names.length);
});
