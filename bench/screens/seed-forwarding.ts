/** Forwards some traces of a gateway to a cloud, and one to another cloud that refuses it. */
import { setTimeout as after } from 'node:timers/promises';
import { startRefusingCloud } from '../../server/fixtures/refusing-cloud.ts';
import { startTestCloud } from '../../server/fixtures/test-cloud.ts';
import { clientOf } from '../../server/fixtures/test-gateway.ts';

const traceCount = 12;
const pollMs = 100;

export async function seedForwarding(url: string, refusedTrace: string): Promise<{ stop(): Promise<void> }> {
  const [cloud, refusing] = [await startTestCloud(), await startRefusingCloud()];
  const { forwarding, traces } = clientOf(() => url);
  const { app_id, api_key: key } = cloud.tenant;
  await forwarding.create({ body: { name: 'cloud', url: cloud.url, app_id, key } });
  await forwarding.create({ body: { name: 'staging', url: refusing.url, app_id, key, automatic: false } });
  const newest = (await traces.list({ query: { limit: traceCount } })).data.map(({ id }) => id);
  await forwarding.traces({ params: { name: 'cloud' }, body: { trace_ids: newest } });
  await forwarding.traces({ params: { name: 'staging' }, body: { trace_ids: [refusedTrace] } });
  const isDone = async () => (await forwarding.list()).data.every(({ state }) => state.is === 'up_to_date');
  await after(pollMs);
  while (!(await isDone())) await after(pollMs);
  return {
    stop: async () => {
      await cloud.stop();
      await refusing.stop();
    },
  };
}
