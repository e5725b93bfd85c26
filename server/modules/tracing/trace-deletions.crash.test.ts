/** A gateway that is killed while it deletes: what it had answered, or stored as accepted, is finished by the next one, and nothing else is lost. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GatewayError } from '../../../shared/client.ts';
import { aChat, aRequest, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { type EntryProcess, startEntry } from '../../fixtures/entry-process.ts';
import { clientOf } from '../../fixtures/test-gateway.ts';

let folder: string;
let running: EntryProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-deleting-'));
});
afterEach(async () => {
  await running?.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const started = startEntry('gateway.ts', ['--port', '0', '--data', join(folder, 'data'), '--project', folder]);
  running = started;
  const url = await started.ready;
  return { client: clientOf(() => url), kill: () => started.end('SIGKILL') };
}

type Client = Awaited<ReturnType<typeof start>>['client'];

async function send(client: Client, user: string, traces: number): Promise<void> {
  const spans = Array.from({ length: traces }, () => aTraceId()).flatMap((traceId) =>
    Array.from({ length: 20 }, () =>
      aChat({ traceId, name: `call of ${user}`, reply: `${user} `.repeat(40), attributes: { 'user.id': user } }),
    ),
  );
  for (let at = 0; at < spans.length; at += 500) await client.ingest.traces({ body: { ...aRequest(spans.slice(at, at + 500)) } });
}

/** A gateway that has just started on a busy machine may ask to be asked again. */
async function total(client: Client, query: { user_id?: string } = {}): Promise<number> {
  try {
    return (await client.traces.list({ query })).pagination.total;
  } catch (error) {
    if (error instanceof GatewayError && error.status === 503) return total(client, query);
    throw error;
  }
}

it('an accepted deletion is finished after kill -9, whenever that is, and the files hold no word of it', async () => {
  let gateway = await start();
  await send(gateway.client, 'zebrafinch', 150);
  await send(gateway.client, 'sparrow', 20);
  const body = { user_id: 'zebrafinch' };
  for (const killAfterMs of [20, 60, 150, 400]) {
    const answer = gateway.client.traceDeletions.create({ body }).then(
      () => 'answered',
      () => 'killed',
    );
    await new Promise((resolve) => setTimeout(resolve, killAfterMs));
    await gateway.kill();
    const outcome = await answer;
    gateway = await start();
    // Without an answer, the outcome is unknown; with one it is final.
    if (outcome === 'answered') expect(await total(gateway.client)).toBe(20);
    expect(await total(gateway.client, { user_id: 'sparrow' })).toBe(20);
    if ((await total(gateway.client)) === 20) await send(gateway.client, 'zebrafinch', 150);
  }
  const { data } = await gateway.client.traceDeletions.create({ body });
  const state = async () => (await gateway.client.traceDeletions.get({ params: { deletionId: data.id ?? '' } })).data.state;
  await expect.poll(state, { timeout: 120_000 }).toBe('done');
  expect(await total(gateway.client)).toBe(20);
  const files = readdirSync(join(folder, 'data')).map((name) => readFileSync(join(folder, 'data', name), 'latin1'));
  expect(files.join('')).toContain('sparrow');
  expect(files.join('')).not.toContain('zebrafinch');
}, 600_000);
