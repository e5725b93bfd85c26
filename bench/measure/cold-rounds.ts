/**
 * Ingest from an empty folder without a warm-up: the first spans of a fresh process, as after every start of the app. In each round every
 * contender gets the same spans once; every second round runs in reverse order.
 */
import { join } from 'node:path';
import { startAgentMark } from '../gateway/agentmark-process.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import type { BodyIndex } from '../traffic/bodies.ts';
import type { Format } from '../traffic/formats.ts';
import { type IngestMeasure, measureIngest } from './ingest.ts';
import { quietMoment } from './machine.ts';

/** `before` is another checkout of this repository. */
export const coldContenders = ['ours', 'before', 'agentmark'] as const;
export type ColdContender = (typeof coldContenders)[number];

export type ColdRound = Partial<Record<`${ColdContender} ${Format}`, IngestMeasure>>;

export interface ColdOptions {
  index: BodyIndex;
  rounds: number;
  /** Spans of one contender. */
  spans: number;
  formats: readonly Format[];
  /** Folders of AgentMark's server and of another checkout; without one it does not take part. */
  agentmark: string | undefined;
  before: string | undefined;
  quietMs: number;
  log: (line: string) => void;
}

export async function measureColdRounds(options: ColdOptions): Promise<ColdRound[]> {
  const { index, rounds, spans, formats, quietMs, log } = options;
  const names = coldContenders.filter((name) => name === 'ours' || options[name] !== undefined);
  const contenders = formats.flatMap((format) => names.map((name) => ({ name, format })));
  const to = requestsFor(index, spans);
  const measured: ColdRound[] = [];
  for (let number = 1; number <= rounds; number++) {
    const round: ColdRound = {};
    for (const { name, format } of number % 2 === 1 ? contenders : contenders.toReversed()) {
      await quietMoment(quietMs);
      const part = { index, format, from: 0, to };
      const ingest = await coldIngest(name, options, part).catch((error: unknown) => {
        // Another product that refuses a format does not end the run. Its cells stay empty.
        if (name !== 'agentmark') throw error;
        log(`  round ${number} ${name} ${format}, cold: failed: ${String(error).slice(0, 300)}`);
        return null;
      });
      if (ingest === null) continue;
      round[`${name} ${format}`] = ingest;
      log(`  round ${number} ${name} ${format}, cold: ${ingest.spansPerS.toFixed(0)} spans/s, ${ingest.cpuUsPerSpan.toFixed(0)} µs/span`);
    }
    measured.push(round);
  }
  return measured;
}

type Part = Parameters<typeof measureIngest>[1];

async function coldIngest(name: ColdContender, { agentmark, before }: ColdOptions, part: Part): Promise<IngestMeasure> {
  if (name === 'agentmark' && agentmark !== undefined) return agentMarkCold(agentmark, part);
  const dataDir = makeScratchFolder('bench-cold');
  const isBefore = name === 'before' && before !== undefined;
  const gateway = spawnGateway(
    dataDir,
    0,
    isBefore ? { entry: join(before, 'server/entry/gateway.ts'), args: ['--project', dataDir] } : undefined,
  );
  try {
    return await measureIngest({ url: await gateway.ready, pid: gateway.pid }, part);
  } finally {
    await gateway.kill();
    removeFolder(dataDir);
  }
}

async function agentMarkCold(folder: string, part: Part): Promise<IngestMeasure> {
  const server = await startAgentMark(folder);
  try {
    return await measureIngest(server, part);
  } finally {
    await server.stop();
  }
}

/** The first requests that contain at least so many spans. */
function requestsFor({ spans }: BodyIndex, wanted: number): number {
  let sum = 0;
  const last = spans.findIndex((each) => {
    sum += each;
    return sum >= wanted;
  });
  return last < 0 ? spans.length : last + 1;
}
