/** The questions of this process to its own gateway, by HTTP like everybody's. */
import { type Client, createClient, GatewayError } from '../../shared/client.ts';
import { outlineFlag } from '../../shared/contract/tracing/outline-flags.ts';
import type { Arrived } from './notices.ts';

const newestMax = 100;
const eachMax = 5;

export const clientOf = (url: string): Client =>
  createClient(async ({ method, path, body }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetch(new URL(path, url), { method, ...sent });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  });

/** One read for the newest traces; others are limited, because each is a read of its own. */
export async function readArrived(gateway: Client, traceIds: readonly string[]): Promise<Arrived[]> {
  const wanted = new Set(traceIds);
  const newest = (await gateway.traces.list({ query: { limit: newestMax } })).data.filter(({ id }) => wanted.delete(id));
  const others = await Promise.all([...wanted].slice(0, eachMax).map((id) => outlined(gateway, id)));
  return [...newest, ...others.flatMap((one) => one ?? [])];
}

const outline = async (gateway: Client, traceId: string) => (await gateway.traceViewer.outline({ params: { traceId } })).data;

async function outlined(gateway: Client, traceId: string): Promise<Arrived | null> {
  try {
    const { id, name, status, end, latency_ms, spans } = await outline(gateway, traceId);
    return { id, name, status, end, latency_ms, error_count: spans.status.filter((code) => code === 2).length };
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** Its first span has no parent, stored or missing, and has ended. */
export async function isRunOver(gateway: Client, traceId: string): Promise<boolean> {
  try {
    const { spans } = await outline(gateway, traceId);
    const roots = spans.parent.flatMap((parent, at) => (parent === -1 ? [spans.flags[at] ?? 0] : []));
    return roots.length > 0 && roots.every((flags) => (flags & (outlineFlag.pending | outlineFlag.orphan)) === 0);
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
