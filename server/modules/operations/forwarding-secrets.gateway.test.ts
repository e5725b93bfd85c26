/** A thousand secrets go into a gateway over HTTP and through redaction to a real cloud: none of them arrives. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../../../shared/client.ts';
import { hiddenKinds, noRedaction } from '../../../shared/contract/operations/redaction.ts';
import { aChat, aRequest, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { seededSecrets } from '../../fixtures/seeded-secrets.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const seeds = seededSecrets(1_000, 9_418);
const perRequest = 100;
let cloud: TestCloud;
let gateway: TestGateway;

beforeAll(async () => {
  [cloud, gateway] = await Promise.all([startTestCloud(), startTestGateway({ environment: {} })]);
});
afterAll(() => Promise.all([gateway.stop(), cloud.stop()]));

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const holds = (text: string, value: string) => [value, inJson(value), inJson(inJson(value))].some((form) => text.includes(form));

it('with redaction on none of them is in the cloud, and all are readable here', async () => {
  const { tenant, url } = cloud;
  const policy = { ...noRedaction, hide: [...hiddenKinds] };
  const destination = { name: 'cloud', url, app_id: tenant.app_id, key: tenant.api_key, is_paused: true };
  await gateway.client.forwarding.create({ body: destination });
  await gateway.client.forwarding.change({ params: { name: 'cloud' }, body: { policy, is_paused: false } });

  const located = seeds.map((seed) => ({ seed, traceId: aTraceId(), spanId: aSpanId() }));
  const spans = located.map(({ seed: { text }, ...ids }) =>
    aChat({
      ...ids,
      name: `call ${text}`,
      ask: `Use ${text} please`,
      reply: `As you said: ${text}`,
      attributes: { 'session.id': text, note: [text] },
    }),
  );
  for (let at = 0; at < spans.length; at += perRequest) await gateway.ingest(aRequest(spans.slice(at, at + perRequest)));
  const sent = async () => (await gateway.client.forwarding.list()).data[0];
  await expect.poll(sent).toMatchObject({ sent: seeds.length, waiting: { spans: 0 }, dead_letters: 0, refused: 0 });

  /** Everything that the viewer of a gateway shows of a span. */
  const read = async ({ viewer, traces }: Client, traceId: string, spanId: string) =>
    JSON.stringify([(await viewer.rawSpan({ params: { traceId, spanId } })).data, (await traces.get({ params: { traceId } })).data]);
  for (const { seed, traceId, spanId } of located) {
    const [remote, local] = await Promise.all([read(tenant.client, traceId, spanId), read(gateway.client, traceId, spanId)]);
    expect([seed.shape, seed.forms.filter((form) => holds(remote, form)), holds(local, seed.value)]).toEqual([seed.shape, [], true]);
  }
});
