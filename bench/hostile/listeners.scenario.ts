/**
 * The standard OTLP ports: SDKs with default settings and the gRPC exporter, whose spans must all be stored; more requests at once than the
 * gateway has capacity for, which must be told when to retry; and hostile frames, which must affect only their own connection.
 * `npm run test:hostile -- listeners [exporter] [unset] [overload] [frames] [--spans 100000] [--connections 8]`: all parts by default.
 * `unset` needs the ports 4317 and 4318, and fails with a message when they are in use.
 */
import { parseArgs } from 'node:util';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { runHelper } from '../measure/helper-process.ts';
import { judgeWaits, probeIdle, probeWhile } from './health-probe.ts';
import { attack } from './listener-attacks.ts';
import type { ExportCounts, ExportTask } from './listener-exporter.ts';
import type { Verdict } from './scenario.ts';

interface Setup {
  url: string;
  grpc: number | null;
  http: number | null;
  spans: number;
  connections: number;
}

interface Part {
  /** The value of `--otlp-ports`. */
  ports: string;
  run(setup: Setup): Promise<Verdict[]>;
}

/** Bytes per span of the overload: all batches together are three times the gateway's capacity. */
const overloadBytes = 2000;

const parts: Record<string, Part> = {
  exporter: {
    ports: '0,0',
    run: async (setup) => [await measureStored('the gRPC exporter', setup, { kind: 'batches', url: grpcOf(setup) })],
  },
  unset: {
    ports: 'on',
    run: async (setup) => {
      if (setup.grpc === null || setup.http === null) return [{ ok: false, what: 'unset: ports 4317 and 4318 are in use' }];
      return [
        await measureStored('an SDK with default settings', setup, { kind: 'unset', url: null }),
        await measureStored('an SDK with only the protocol set to gRPC', setup, { kind: 'unset', url: null, protocol: 'grpc' }),
      ];
    },
  },
  overload: {
    ports: '0,0',
    run: async (setup) => {
      const task = { kind: 'stubborn', url: grpcOf(setup), bytes: overloadBytes } as const;
      const verdict = await measureStored('all batches at once, retried when asked to', setup, task);
      return [verdict, { ok: /[1-9]\d* retries/.test(verdict.what), what: 'the gateway was overloaded and asked for retries' }];
    },
  },
  frames: {
    ports: '0,0',
    run: async (setup) => {
      const idle = await probeIdle(setup.url);
      let isOver = false;
      const attacking = attack(setup.grpc ?? 0, setup.connections, () => isOver);
      const task = { kind: 'batches', url: grpcOf(setup) } as const;
      const { waits, result } = await probeWhile(setup.url, () =>
        measureStored('the exporter during the attacks', { ...setup, spans: setup.spans / 5 }, task),
      );
      isOver = true;
      const counts = Object.entries(await attacking).map(([name, count]) => `${name} ${count}`);
      return [result, judgeWaits(`hostile connections (${counts.join(', ')})`, idle, waits)];
    },
  },
};

const grpcOf = ({ grpc }: Setup): string => `http://localhost:${grpc}`;

export async function run(options: string[]): Promise<Verdict[]> {
  const { values, positionals } = parseArgs({
    args: options,
    options: { spans: { type: 'string', default: '100000' }, connections: { type: 'string', default: '8' } },
    allowPositionals: true,
  });
  const verdicts: Verdict[] = [];
  for (const [name, part] of Object.entries(parts))
    if (positionals.length === 0 || positionals.includes(name))
      verdicts.push(...(await onGateway(part, Number(values.spans), Number(values.connections))));
  return verdicts;
}

async function onGateway(part: Part, spans: number, connections: number): Promise<Verdict[]> {
  const folder = makeScratchFolder('listeners');
  const gateway = spawnGateway(folder, 0, { args: ['--otlp-ports', part.ports] });
  try {
    const url = await gateway.ready;
    const { otlp_ports } = await getJson<{ otlp_ports: Pick<Setup, 'grpc' | 'http'> }>(url, '/v1/capabilities');
    return await part.run({ url, ...otlp_ports, spans, connections });
  } finally {
    await gateway.stop();
    removeFolder(folder);
  }
}

async function getJson<T>(url: string, path: string): Promise<T> {
  const client = new HttpClient(url, 1);
  const answer = await client.json<T>(path);
  client.close();
  return answer;
}

const spansIn = async (url: string): Promise<number> => (await getJson<{ data: { spans: number } }>(url, '/v1/viewer/storage')).data.spans;

async function measureStored(
  what: string,
  { url, spans }: Setup,
  task: Omit<ExportTask, 'spans' | 'bytes'> & { bytes?: number },
): Promise<Verdict> {
  const before = await spansIn(url);
  const began = performance.now();
  const { retries, failures } = await runHelper<ExportTask, ExportCounts>(new URL('./listener-exporter.ts', import.meta.url), {
    bytes: 0,
    ...task,
    spans,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const storedSpans = (await spansIn(url)) - before;
  const figures = `${storedSpans} of ${spans} spans stored in ${seconds} s, ${retries} retries`;
  return {
    ok: storedSpans === spans && failures.length === 0,
    what: `${what}: ${figures}${failures.length > 0 ? `; ${failures.join('; ')}` : ''}`,
  };
}
