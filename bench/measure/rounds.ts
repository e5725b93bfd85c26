/** Compares the raw insert and JSON.parse with the gateway: every round runs each once on the same spans, in alternating order. */
import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import type { BodyIndex } from '../traffic/bodies.ts';
import { type Format, formats } from '../traffic/formats.ts';
import { runHelper } from './helper-process.ts';
import { type IngestMeasure, measureIngest } from './ingest.ts';
import type { JsonParseResult, JsonParseTask } from './json-parse.ts';
import { OtherCpu, processUsage, quietMoment, storeBytes } from './machine.ts';
import type { RawInsertResult, RawInsertTask } from './raw-insert.ts';
import type { StoredInsertResult, StoredInsertTask } from './stored-insert.ts';

export interface GatewayRound extends IngestMeasure {
  rss: number;
  peakRss: number;
  /** After a clean shutdown: checkpointed, with everything in one file. */
  bytesPerSpan: number;
  /** The gateway's rows for these spans, inserted once more by a thread that does nothing else. */
  stored: StoredInsertResult;
}

export interface Round {
  raw: RawInsertResult & { spansPerS: number; otherCpu: number };
  /** JSON.parse alone on the same bodies. */
  parse: JsonParseResult;
  gateway: Record<Format, GatewayRound>;
}

export interface RoundsOptions {
  index: BodyIndex;
  rounds: number;
  /** Requests sent to a fresh gateway before the timer starts, to warm up the compilers. */
  warmUp: number;
  quietMs: number;
  log: (line: string) => void;
}

export async function measureRounds(options: RoundsOptions): Promise<Round[]> {
  const rounds: Round[] = [];
  const contenders = ['raw', 'parse', ...formats] as const;
  for (let number = 1; number <= options.rounds; number++) {
    const round: { raw?: Round['raw']; parse?: JsonParseResult; gateway: Partial<Round['gateway']> } = { gateway: {} };
    for (const contender of number % 2 === 1 ? contenders : contenders.toReversed()) {
      await quietMoment(options.quietMs);
      const log = (measured: string) => options.log(`  round ${number} ${contender.padEnd(13)} ${measured}`);
      if (contender === 'parse') {
        round.parse = await parseRound(options);
        log(`${round.parse.cpuUsPerSpan.toFixed(1)} µs/span`);
        continue;
      }
      const measure = contender === 'raw' ? await rawRound(options) : await gatewayRound(options, contender);
      if (contender === 'raw') round.raw = measure as Round['raw'];
      else round.gateway[contender] = measure as GatewayRound;
      log(`${measure.spansPerS.toFixed(0)} spans/s`);
    }
    rounds.push(round as Round);
  }
  return rounds;
}

const parseRound = ({ index, warmUp }: RoundsOptions): Promise<JsonParseResult> =>
  runHelper<JsonParseTask, JsonParseResult>(new URL('./json-parse.ts', import.meta.url), { index, from: warmUp, to: index.spans.length });

async function rawRound({ index, warmUp }: RoundsOptions): Promise<Round['raw']> {
  const task = { index, from: warmUp, to: index.spans.length };
  const other = new OtherCpu();
  const result = await runHelper<RawInsertTask, RawInsertResult>(new URL('./raw-insert.ts', import.meta.url), task);
  return { ...result, spansPerS: result.spans / result.wallS, otherCpu: other.read(result.processS) };
}

async function gatewayRound({ index, warmUp }: RoundsOptions, format: Format): Promise<GatewayRound> {
  const dataDir = makeScratchFolder('bench');
  const gateway = spawnGateway(dataDir);
  try {
    const target = { url: await gateway.ready, pid: gateway.pid };
    await measureIngest(target, { index, format, from: 0, to: warmUp });
    const measure = await measureIngest(target, { index, format, from: warmUp, to: index.spans.length });
    const { rss, peakRss } = processUsage(gateway.pid);
    const storedSpans = await countSpans(target.url);
    await gateway.stop();
    const sent = index.spans.reduce((sum, spans) => sum + spans, 0);
    if (storedSpans !== sent) throw new Error(`${sent} spans were sent as ${format}, ${storedSpans} are stored`);
    const task = { file: telemetryFile(dataDir) };
    const stored = await runHelper<StoredInsertTask, StoredInsertResult>(new URL('./stored-insert.ts', import.meta.url), task);
    return { ...measure, rss, peakRss, bytesPerSpan: storeBytes(dataDir).file / storedSpans, stored };
  } finally {
    await gateway.kill();
    removeFolder(dataDir);
  }
}

export async function countSpans(url: string): Promise<number> {
  const client = new HttpClient(url, 1);
  const { pagination } = await client.json<{ pagination: { total: number } }>('/v1/spans?limit=1');
  client.close();
  return pagination.total;
}
