/** However many report at once, a run ends once: one report is taken, all others are told, and the key of the run is dead from then on. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { times } from '../../fixtures/full-numbers.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';

const reports = 100;
const rounds = times(3, 40);
let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

async function report(runId: string, credential: string, body: object): Promise<{ status: number; code: string | null }> {
  const headers = { Authorization: credential, 'X-Service-App-Id': cloud.tenant.app_id, 'Content-Type': 'application/json' };
  const response = await cloud.fetch(`/v1/evals/runs/${runId}/status`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code ?? null };
}

it('a hundred reports at once, of success and failure, by the key of the run and by others: one is taken', async () => {
  const counted: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    const { client, api_key, token } = cloud.tenant;
    const { id, plaintext_key } = (await client.evals.createRun({ body: {} })).data;
    const by = [plaintext_key, api_key, `Bearer ${token}`];
    const sent = Array.from({ length: reports }, (_, index) => ({
      credential: by[(index + round) % by.length] as string,
      body: index % 2 === 0 ? { card: { index }, costUsd: index } : { error: `report ${index}`, costUsd: index },
    }));
    const answers = await Promise.all(sent.map(({ credential, body }) => report(id, credential, body)));
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(won).toHaveLength(1);
    for (const [index, { status, code }] of answers.entries()) {
      if (index === won[0]) continue;
      // Who asks with the key of the run was let in before the run ended, or not any more.
      const isRunKey = sent[index]?.credential === plaintext_key;
      expect([409, ...(isRunKey ? [401] : [])]).toContain(status);
      expect(code).toBe(status === 409 ? 'run_already_terminal' : 'unauthorized');
    }
    const taken = won[0] as number;
    const run = (await client.evals.getRun({ params: { runId: id } })).data;
    expect(run).toMatchObject(
      taken % 2 === 0 ? { status: 'succeeded', card: { index: taken } } : { status: 'failed', error: `report ${taken}` },
    );
    expect(run).toMatchObject({ cost_usd: taken, [taken % 2 === 0 ? 'error' : 'card']: null });
    expect((await report(id, plaintext_key, {})).status).toBe(401);
    for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1;
  }
  process.stdout.write(`eval reports: ${rounds} runs, ${reports} at once each: ${JSON.stringify(counted)}\n`);
  expect(counted['200']).toBe(rounds);
});

it('from the answer that ends it on, the key is refused, however many ask with it', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, plaintext_key } = (await cloud.tenant.client.evals.createRun({ body: {} })).data;
    // While the run ends, others use its key without a pause: whoever begins after the answer is refused.
    let endedAt = Number.POSITIVE_INFINITY;
    let late = 0;
    const use = async () => {
      for (;;) {
        const began = performance.now();
        const { status } = await report(id, plaintext_key, {});
        if (began > endedAt) {
          expect(status).toBe(401);
          late++;
          return;
        }
      }
    };
    const users = Array.from({ length: 10 }, use);
    expect((await report(id, plaintext_key, { card: {} })).status).toBe(200);
    endedAt = performance.now();
    await Promise.all(users);
    expect(late).toBe(10);
  }
});
