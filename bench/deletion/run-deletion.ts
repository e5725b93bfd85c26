/**
 * Deletes half of the traces of a gateway by a filter, and looks for what is left of them: everything must answer as on a gateway that never
 * received them, and no file may hold a word or an id of them. What was forwarded is counted, and stays at its destination.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Bootstrapped } from '../../server/entry/bootstrap.ts';
import type { TraceDeletion } from '../../shared/contract/tracing/trace-deletions.ts';
import type { Storage } from '../../shared/contract/viewer/viewer-storage.ts';
import { bootstrapCloud, spawnCloud } from '../forward/cloud-process.ts';
import { type GatewayProcess, spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { untilIdle } from '../measure/until-idle.ts';
import { foundOf, isCut, readAnswers } from './answers.ts';
import { type MarkedTrace, MarkedTraces, marks, spansPerTrace } from './marked-traces.ts';
import { sendTraces } from './send-traces.ts';
import { type Occurrences, searchStore, sizeOf } from './stored-bytes.ts';

/** Share of the traces that are sent before there is a destination. */
const unforwardedShare = 0.9;
const sampleSize = 20;
const stepMs = 250;
const timeoutMs = 1_800_000;
const filter = `tags = ${marks.gone.word}`;

const patterns = {
  'deleted words': Buffer.from(marks.gone.word),
  'deleted ids': Buffer.from(marks.gone.idBytes, 'hex'),
  'deleted ids in hex': Buffer.from(marks.gone.idBytes),
  'other words': Buffer.from(marks.kept.word),
};
const deletedPatterns = Object.keys(patterns).filter((name) => name.startsWith('deleted'));
type Count = Pick<TraceDeletion, 'traces' | 'spans' | 'forwarded'>;

export interface DeletionRun {
  /** What the deletion should and did count. */
  expected: Count;
  counted: Count;
  /** Occurrences in the files: before the deletion, after it and a compaction, and after the gateway has stopped. */
  before: Occurrences;
  after: Occurrences;
  stopped: Occurrences;
  /** Reads that still find something of the deleted traces, and how many there were. */
  found: string[];
  sought: number;
  /** Reads that answer otherwise than without the deleted traces, and how many there were with the time for all of their answer. */
  different: string[];
  compared: number;
  /** Forwarded traces that the destination has no more. */
  lostAtDestination: string[];
  /** Milliseconds from the request until nothing was listed, until all bytes were overwritten; of the compaction. */
  removedMs: number;
  doneMs: number;
  compactedMs: number;
  bytes: { before: number; after: number };
}

export async function runDeletion({ spans, log }: { spans: number; log: (line: string) => void }): Promise<DeletionRun> {
  const run = new Run(makeScratchFolder('deletion'), spans, log);
  try {
    return await run.run();
  } finally {
    await run.end();
  }
}

class Run {
  readonly #folder: string;
  readonly #traces: MarkedTrace[];
  readonly #log: (line: string) => void;
  readonly #startMs = Math.floor(Date.now() / 3_600_000 - 3) * 3_600_000;
  readonly #processes: GatewayProcess[] = [];

  constructor(folder: string, spans: number, log: (line: string) => void) {
    this.#folder = folder;
    this.#log = log;
    const maker = new MarkedTraces(this.#startMs);
    const pairs = Math.ceil(spans / spansPerTrace / 2);
    this.#traces = Array.from({ length: pairs }, (_, at) => [maker.make('kept', at), maker.make('gone', at)]).flat();
  }

  async run(): Promise<DeletionRun> {
    const cloudFolder = join(this.#folder, 'cloud');
    mkdirSync(cloudFolder);
    const account = bootstrapCloud(cloudFolder);
    const [subject, reference, cloud] = [this.#start('subject'), this.#start('reference'), this.#keep(spawnCloud(cloudFolder))];
    const [client, other, cloudUrl] = [await clientOf(subject), await clientOf(reference), await cloud.ready];
    const first = Math.floor(this.#traces.length * unforwardedShare);
    await sendTraces(client, this.#traces.slice(0, first));
    const destination = { name: 'acme', url: cloudUrl, key: account.api_key, app_id: account.app_id };
    await post(client, '/v1/viewer/forwarding', destination);
    const forwarded = this.#traces.slice(first);
    await sendTraces(client, forwarded);
    await sendTraces(other, this.#traces.filter(isKept));
    this.#log(`${this.#traces.length * spansPerTrace} spans sent`);
    const gone = this.#traces.filter((trace) => !isKept(trace));
    const twins = forwarded.filter((trace) => !isKept(trace));
    const expected = { traces: gone.length, spans: gone.length * spansPerTrace, forwarded: [{ name: 'acme', traces: twins.length }] };
    await until(async () => (await remove(client, true)).forwarded[0]?.traces === twins.length);
    const { isRewrittenAtStart, ...deleted } = await this.#delete(subject);
    const compacted = isRewrittenAtStart ? await this.#restart(subject) : subject;
    const bytes = { before: deleted.bytesBefore, after: sizeOf(join(this.#folder, 'subject')) };
    const after = this.#search();
    const shown = await this.#compare(await clientOf(compacted), await clientOf(reference), gone);
    const lostAtDestination = await this.#missingAt(cloudUrl, account, twins);
    await compacted.stop();
    return { expected, ...deleted, ...shown, bytes, after, lostAtDestination, stopped: this.#search() };
  }

  async end(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.kill()));
    removeFolder(this.#folder);
  }

  #start = (name: string): GatewayProcess => this.#keep(spawnGateway(join(this.#folder, name)));

  #keep(process: GatewayProcess): GatewayProcess {
    this.#processes.push(process);
    return process;
  }

  async #restart(process: GatewayProcess): Promise<GatewayProcess> {
    await process.stop();
    const restarted = this.#start('subject');
    await restarted.ready;
    this.#log('restarted, so that the file was rewritten');
    await untilIdle(restarted.pid, 1);
    return restarted;
  }

  #search = (): Occurrences => searchStore(join(this.#folder, 'subject'), patterns, deletedPatterns);

  async #delete(process: GatewayProcess) {
    const { pid } = process;
    const folder = join(this.#folder, 'subject');
    await untilIdle(pid, 1);
    const [before, bytesBefore] = [this.#search(), sizeOf(folder)];
    // After the search, because it takes longer than idle connections are kept.
    const client = await clientOf(process);
    const began = performance.now();
    const deletion = await remove(client, false);
    const stateIs = (states: string) => async () =>
      states.includes((await client.json<{ data: TraceDeletion }>(`/v1/trace-deletions/${deletion.id}`)).data.state);
    await until(stateIs('erasing done'));
    const removedMs = performance.now() - began;
    await until(stateIs('done'));
    const doneMs = performance.now() - began;
    this.#log(`deleted in ${(removedMs / 1000).toFixed(1)} s, overwritten after ${(doneMs / 1000).toFixed(1)} s`);
    const compacting = performance.now();
    await post(client, '/v1/viewer/storage/compact', {});
    let state: string | undefined;
    await until(async () => {
      state = (await client.json<{ data: Storage }>('/v1/viewer/storage')).data.compaction?.state;
      return state === 'done' || state === 'at-next-start';
    });
    const compactedMs = performance.now() - compacting;
    await untilIdle(pid, 1);
    const { traces, spans, forwarded } = deletion;
    const isRewrittenAtStart = state === 'at-next-start';
    return { counted: { traces, spans, forwarded }, removedMs, doneMs, compactedMs, bytesBefore, before, isRewrittenAtStart };
  }

  async #compare(client: HttpClient, other: HttpClient, gone: readonly MarkedTrace[]) {
    const range = [this.#startMs, this.#startMs + 24 * 3_600_000] as const;
    const kept = sampleOf(this.#traces.filter(isKept));
    const [now, wanted] = [await readAnswers(client, range, kept), await readAnswers(other, range, kept)];
    const whole = [...wanted].filter(([path, answer]) => !isCut(answer) && !isCut(now.get(path) ?? ''));
    const different = whole.flatMap(([path, answer]) => (now.get(path) === answer ? [] : [firstDifference(path, answer, now.get(path))]));
    const marked = [...now].flatMap(([path, answer]) =>
      [marks.gone.word, marks.gone.idBytes].some((mark) => answer.includes(mark)) ? [`${path} names a deleted trace`] : [],
    );
    const failed = [...wanted]
      .filter(([, answer]) => !answer.startsWith('200 '))
      .map(([path, answer]) => `${path}: ${answer.slice(0, 200)}`);
    const { found, sought } = await foundOf(client, sampleOf(gone));
    return { different: [...different, ...failed], compared: whole.length, found: [...marked, ...found], sought: sought + now.size };
  }

  async #missingAt(url: string, { api_key, app_id }: Bootstrapped, twins: readonly MarkedTrace[]): Promise<string[]> {
    const client = new HttpClient(url, 1);
    const headers = { authorization: api_key, 'x-agentmark-app-id': app_id };
    const missing: string[] = [];
    for (const { traceId } of sampleOf(twins)) {
      const { status } = await client.send('GET', `/v1/traces/${traceId}`, headers);
      if (status !== 200) missing.push(`${traceId}: ${status}`);
    }
    client.close();
    return missing;
  }
}

const isKept = ({ fate }: MarkedTrace): boolean => fate === 'kept';

/** Evenly spread. */
const sampleOf = (traces: readonly MarkedTrace[]): MarkedTrace[] =>
  traces.filter((_, at) => at % Math.ceil(traces.length / sampleSize) === 0);

const clientOf = async ({ ready }: GatewayProcess): Promise<HttpClient> => new HttpClient(await ready, 1, timeoutMs);

async function post<T>(client: HttpClient, path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const { status, body: answer } = await client.send('POST', path, headers, Buffer.from(JSON.stringify(body)));
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${answer.subarray(0, 300).toString()}`);
  return JSON.parse(answer.toString() || '{}') as T;
}

const remove = async (client: HttpClient, dry_run: boolean): Promise<TraceDeletion> =>
  (await post<{ data: TraceDeletion }>(client, '/v1/trace-deletions', { filter, dry_run })).data;

/** The gateway closes connections that were idle for long, also under a request, which is then asked again. */
const isClosed = (error: NodeJS.ErrnoException): false => {
  if (error.code !== 'ECONNRESET') throw error;
  return false;
};

async function until(isReached: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await isReached().catch(isClosed)); await after(stepMs))
    if (performance.now() - began > timeoutMs) throw new Error(`It was not done within ${timeoutMs} ms`);
}

function firstDifference(path: string, wanted: string, got = ''): string {
  let at = 0;
  while (at < wanted.length && wanted[at] === got[at]) at++;
  return `${path} differs at ${at}: ${got.slice(Math.max(0, at - 60), at + 60)} instead of ${wanted.slice(Math.max(0, at - 60), at + 60)}`;
}
