/** Requests of this process to its own gateway, over HTTP like those of any client. */
import { type Client, createClient, GatewayError } from '../../shared/client.ts';
import { outlineFlag } from '../../shared/contract/tracing/outline-flags.ts';
import type { ListedRunaway } from '../../shared/contract/tracing/runaways.ts';
import type { Budget } from '../../shared/contract/viewer/budgets.ts';
import type { ArrivedTrace } from './notices.ts';

const newestMax = 100;
const othersMax = 5;

export const clientOf = (url: string): Client =>
  createClient(async ({ method, path, body }) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(new URL(path, url), { method, ...init });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  });

/** One request reads the newest traces. The others need one request each, so their number is limited. */
export async function readArrivedTraces(gateway: Client, traceIds: readonly string[]): Promise<ArrivedTrace[]> {
  const requestedIds = new Set(traceIds);
  const newest = (await gateway.traces.list({ query: { limit: newestMax } })).data.filter(({ id }) => requestedIds.delete(id));
  const others = await Promise.all([...requestedIds].slice(0, othersMax).map((id) => readTrace(gateway, id)));
  return [...newest, ...others.flatMap((trace) => trace ?? [])];
}

/** Signs of those of the runs that go on. */
export async function readRunaways(gateway: Client, traceIds: readonly string[]): Promise<ListedRunaway[]> {
  const query = { trace_ids: traceIds.slice(0, newestMax).join(), running: 'true', limit: 200 } as const;
  return (await gateway.runaways.list({ query })).data;
}

const readOutline = async (gateway: Client, traceId: string) => (await gateway.traceViewer.outline({ params: { traceId } })).data;

/** What was spent of the budgets; none where there are none. */
export const readBudgets = async (gateway: Client): Promise<Budget[]> => (await gateway.spending.budgets({ query: {} })).data;

async function readTrace(gateway: Client, traceId: string): Promise<ArrivedTrace | null> {
  try {
    const { id, name, status, end, latency_ms, spans } = await readOutline(gateway, traceId);
    return { id, name, status, end, latency_ms, error_count: spans.status.filter((code) => code === 2).length };
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** Whether every root span has ended, and none has a parent that is missing. */
export async function hasRunEnded(gateway: Client, traceId: string): Promise<boolean> {
  try {
    const { spans } = await readOutline(gateway, traceId);
    const roots = spans.parent.flatMap((parent, at) => (parent === -1 ? [spans.flags[at] ?? 0] : []));
    return roots.length > 0 && roots.every((flags) => (flags & (outlineFlag.pending | outlineFlag.orphan)) === 0);
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
