/**
 * The standard ports: SDKs that nobody set up, and the exporter for gRPC, whose every span is stored; more at once than the gateway has room
 * for, which is told when to come back; and frames that cost nobody but their connection.
 * `npm run test:hostile -- listeners [exporter] [unset] [overload] [frames] [--spans 100000] [--connections 8]`: all parts when none is named.
 * `unset` needs 4317 and 4318, and says so where somebody else has them.
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

interface Stand {
  url: string;
  grpc: number | null;
  http: number | null;
  spans: number;
  connections: number;
}

interface Part {
  /** For `--otlp-ports`. */
  ports: string;
  run(stand: Stand): Promise<Verdict[]>;
}

/** In each span of the overload: all batches at once are three times the gateway's room. */
const overloadBytes = 2000;

const parts: Record<string, Part> = {
  exporter: {
    ports: '0,0',
    run: async (stand) => [await stored('the exporter for gRPC', stand, { kind: 'batches', url: grpcOf(stand) })],
  },
  unset: {
    ports: 'on',
    run: async (stand) => {
      if (stand.grpc === null || stand.http === null) return [{ ok: false, what: 'unset: ports 4317 and 4318 are not free here' }];
      return [
        await stored('an SDK that nobody set up', stand, { kind: 'unset', url: null }),
        await stored('an SDK that was only told to use gRPC', stand, { kind: 'unset', url: null, protocol: 'grpc' }),
      ];
    },
  },
  overload: {
    ports: '0,0',
    run: async (stand) => {
      const task = { kind: 'stubborn', url: grpcOf(stand), bytes: overloadBytes } as const;
      const verdict = await stored('all batches at once, sent again when told to', stand, task);
      return [verdict, { ok: /[1-9]\d* times told/.test(verdict.what), what: 'the gateway was overloaded, and said so' }];
    },
  },
  frames: {
    ports: '0,0',
    run: async (stand) => {
      const idle = await probeIdle(stand.url);
      let isOver = false;
      const attacking = attack(stand.grpc ?? 0, stand.connections, () => isOver);
      const task = { kind: 'batches', url: grpcOf(stand) } as const;
      const { waits, result } = await probeWhile(stand.url, () =>
        stored('the exporter meanwhile', { ...stand, spans: stand.spans / 5 }, task),
      );
      isOver = true;
      const counts = Object.entries(await attacking).map(([name, count]) => `${name} ${count}`);
      return [result, judgeWaits(`hostile connections (${counts.join(', ')})`, idle, waits)];
    },
  },
};

const grpcOf = ({ grpc }: Stand): string => `http://localhost:${grpc}`;

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
  const gateway = spawnGateway(folder, 0, { words: ['--otlp-ports', part.ports] });
  try {
    const url = await gateway.ready;
    const { otlp_ports } = await ask<{ otlp_ports: Pick<Stand, 'grpc' | 'http'> }>(url, '/v1/capabilities');
    return await part.run({ url, ...otlp_ports, spans, connections });
  } finally {
    await gateway.stop();
    removeFolder(folder);
  }
}

async function ask<T>(url: string, path: string): Promise<T> {
  const client = new HttpClient(url, 1);
  const answer = await client.json<T>(path);
  client.close();
  return answer;
}

const spansIn = async (url: string): Promise<number> => (await ask<{ data: { spans: number } }>(url, '/v1/viewer/storage')).data.spans;

async function stored(
  what: string,
  { url, spans }: Stand,
  task: Omit<ExportTask, 'spans' | 'bytes'> & { bytes?: number },
): Promise<Verdict> {
  const before = await spansIn(url);
  const began = performance.now();
  const { obeyed, failures } = await runHelper<ExportTask, ExportCounts>(new URL('./listener-exporter.ts', import.meta.url), {
    bytes: 0,
    ...task,
    spans,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const kept = (await spansIn(url)) - before;
  const told = `${kept} of ${spans} spans stored in ${seconds} s, ${obeyed} times told to come back`;
  return { ok: kept === spans && failures.length === 0, what: `${what}: ${told}${failures.length > 0 ? `; ${failures.join('; ')}` : ''}` };
}
