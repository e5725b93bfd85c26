/** The most expensive reads of the API, sent by one tenant, whose connections can be dropped. */
import { Agent, request } from 'node:http';
import type { LoadedCloud, TenantSide } from './loaded-cloud.ts';

interface HeavyRead {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

const dayMs = 24 * 3600 * 1000;

function search(query: object): HeavyRead {
  const start_date = new Date(Date.now() - 80 * dayMs).toISOString();
  return { method: 'POST', path: '/v1/spans/search', body: JSON.stringify({ start_date, ...query }) };
}

/** @param spans the approximate number of spans in the store */
export function heavyReads(spans: number): HeavyRead[] {
  const range = new URLSearchParams({
    start_date: new Date(Date.now() - 80 * dayMs).toISOString(),
    end_date: new Date().toISOString(),
    extended: 'true',
  });
  return [
    { method: 'GET', path: `/v1/metrics?${range}` },
    search({ sort_by: 'cost', filters: [{ field: 'input', operator: 'notContains', value: 'zebra crossing' }] }),
    search({ sort_by: 'tokens', offset: Math.floor(spans * 0.8) }),
    search({ sort_by: 'name', filters: [{ field: 'input', operator: 'contains', value: 'e' }] }),
  ];
}

export interface SentRead {
  /** The status; 0 when the connection was dropped. */
  status: Promise<number>;
  drop(): void;
}

/** Sends one read over a connection of its own. */
export function sendHeavy({ url }: LoadedCloud, { headers }: TenantSide, { method, path, body }: HeavyRead): SentRead {
  const { hostname: host, port } = new URL(url);
  const agent = new Agent();
  const type = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const sent = request({ host, port, method, path, agent, headers: { ...headers, ...type } });
  const status = new Promise<number>((resolve) => {
    sent.on('response', (response) => {
      response.resume();
      response.on('close', () => {
        agent.destroy();
        resolve(response.complete ? (response.statusCode ?? 0) : 0);
      });
    });
    sent.on('error', () => resolve(0));
  });
  sent.end(body);
  return { status, drop: () => void sent.destroy() };
}

/** Sends twenty reads at a time until `end`; every second one is dropped after 500 ms. @returns the number of responses by status */
export function keepSending(cloud: LoadedCloud, side: TenantSide, reads: readonly HeavyRead[]): { end(): Promise<Map<number, number>> } {
  const statuses = new Map<number, number>();
  const running = new Set<SentRead>();
  let isOver = false;
  const sender = async (index: number) => {
    for (let turn = 0; !isOver; turn++) {
      const sent = sendHeavy(cloud, side, reads[(index + turn) % reads.length] as HeavyRead);
      running.add(sent);
      const timer = index % 2 === 1 ? setTimeout(() => sent.drop(), 500) : undefined;
      const status = await sent.status;
      clearTimeout(timer);
      running.delete(sent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const all = Array.from({ length: 20 }, (_, index) => sender(index));
  return {
    end: async () => {
      isOver = true;
      for (const sent of running) sent.drop();
      await Promise.all(all);
      return statuses;
    },
  };
}
