/** However many reports arrive at once, a run ends once: one is accepted, all others are refused, and the key of the run is invalid after it. */
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

it('a hundred reports at once, of success and failure, by the key of the run and by others: one is accepted', async () => {
  const statusCounts: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    const { client, api_key, token } = cloud.tenant;
    const { id, plaintext_key } = (await client.evals.createRun({ body: {} })).data;
    const credentials = [plaintext_key, api_key, `Bearer ${token}`];
    const sent = Array.from({ length: reports }, (_, index) => ({
      credential: credentials[(index + round) % credentials.length] as string,
      body: index % 2 === 0 ? { card: { index }, costUsd: index } : { error: `report ${index}`, costUsd: index },
    }));
    const answers = await Promise.all(sent.map(({ credential, body }) => report(id, credential, body)));
    const accepted = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(accepted).toHaveLength(1);
    for (const [index, { status, code }] of answers.entries()) {
      if (index === accepted[0]) continue;
      // A request with the key of the run was admitted before the run ended, or was refused.
      const isRunKey = sent[index]?.credential === plaintext_key;
      expect([409, ...(isRunKey ? [401] : [])]).toContain(status);
      expect(code).toBe(status === 409 ? 'run_already_terminal' : 'unauthorized');
    }
    const winner = accepted[0] as number;
    const run = (await client.evals.getRun({ params: { runId: id } })).data;
    expect(run).toMatchObject(
      winner % 2 === 0 ? { status: 'succeeded', card: { index: winner } } : { status: 'failed', error: `report ${winner}` },
    );
    expect(run).toMatchObject({ cost_usd: winner, [winner % 2 === 0 ? 'error' : 'card']: null });
    expect((await report(id, plaintext_key, {})).status).toBe(401);
    for (const { status } of answers) statusCounts[status] = (statusCounts[status] ?? 0) + 1;
  }
  process.stdout.write(`eval reports: ${rounds} runs, ${reports} at once each: ${JSON.stringify(statusCounts)}\n`);
  expect(statusCounts['200']).toBe(rounds);
});

it('after the answer that ends it, the key is refused, however many requests use it', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, plaintext_key } = (await cloud.tenant.client.evals.createRun({ body: {} })).data;
    // While the run ends, others use its key without a pause: requests that start after the answer are refused.
    let endedAt = Number.POSITIVE_INFINITY;
    let late = 0;
    const use = async () => {
      for (;;) {
        const startedAt = performance.now();
        const { status } = await report(id, plaintext_key, {});
        if (startedAt > endedAt) {
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
