/** Waits for the first trace of an agent that was just connected. */
import { setTimeout as after } from 'node:timers/promises';
import type { TraceItem } from '../../../shared/contract/tracing/traces.ts';
import { placeOf } from '../address.ts';
import { type GatewayInfo, probeGateway } from '../local-gateway.ts';
import { readEvents } from '../read-events.ts';
import { printable } from '../terminal.ts';

const pauseMs = 1000;
/** Of the agent, newest first. */
const tracesMax = 20;
const requestsMax = 50;

export interface FirstTraceOptions {
  /** Of the gateway, which need not run yet. */
  url: string;
  /** Selects the traces of the agent. */
  filter: string;
  /** Earlier traces do not count. */
  sinceMs: number;
  /** Ends the wait. */
  signal: AbortSignal;
  /** Says why there is none yet. */
  say(line: string): void;
}

/** @returns null when the wait was ended */
export async function firstTrace(options: FirstTraceOptions): Promise<TraceItem | null> {
  const { url, signal } = options;
  const told = new Set<string>();
  const say = (line: string) => {
    if (line !== '' && !told.has(line)) options.say(printable(line, 300));
    told.add(line);
  };
  while (!signal.aborted) {
    const probe = await probeGateway(url);
    if (probe.kind === 'glasshouse') {
      // An open stream would keep the process running.
      const stream = new AbortController();
      const following = follow(probe.gateway, { ...options, say, signal: AbortSignal.any([signal, stream.signal]) });
      const trace = await following.catch(() => null).finally(() => stream.abort());
      if (trace) return trace;
    } else say(`no gateway answers ${placeOf(url)} yet`);
    await after(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

/** Until the connection ends. @throws when it is lost */
async function follow(gateway: GatewayInfo, options: FirstTraceOptions): Promise<TraceItem | null> {
  const response = await fetch(`${gateway.url}/v1/viewer/live`, { signal: options.signal });
  // What came before the stream was open.
  const early = await look(gateway, options);
  if (early) return early;
  for await (const { event } of readEvents(response)) {
    if (event !== 'commit' && event !== 'requests') continue;
    const trace = await look(gateway, options);
    if (trace) return trace;
  }
  return null;
}

/** A trace that was sent. The history of the agent, when it is read in the background, also gives traces, but without requests. */
async function look({ client }: GatewayInfo, { filter, sinceMs, say }: FirstTraceOptions): Promise<TraceItem | undefined> {
  const { data: log } = await client.viewer.ingestLog({ query: { limit: requestsMax } });
  const requests = log.filter(({ at }) => Date.parse(at) >= sinceMs);
  for (const { hint, status, message } of requests) say(status >= 400 ? message : hint);
  if (!requests.some(({ spans_accepted }) => spans_accepted > 0)) return undefined;
  const { data } = await client.traces.list({ query: { filter, limit: tracesMax } });
  return data.findLast(({ start }) => Date.parse(start) >= sinceMs);
}
