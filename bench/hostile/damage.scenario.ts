/**
 * A store that was killed in mid-write and then damaged, again and again in different bytes: no read may answer 500, ingest continues or is
 * refused with a storage error, and a trace that cannot be read completely is reported. Options: `--seeds 200`, `--seed-from 1`,
 * `--traces 60`, `--own-process 20` (every 20th seed runs in a real process of its own), `--parallel 2`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalGateway, startLocalGateway } from '../../server/entry/local.ts';
import { flipBytes } from '../damage/flip-bytes.ts';
import { judgeReads, type ReadResults, reportsDamage } from '../damage/judge-reads.ts';
import { copyStore, type KnownStore, makeKnownStore } from '../damage/known-store.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import type { Verdict } from './scenario.ts';

interface Outcome extends ReadResults {
  seed: number;
  what: string;
  isSetAside: boolean;
  isOwnProcess: boolean;
}

const number = (fallback: string) => ({ type: 'string', default: fallback }) as const;

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({
    args: options,
    options: {
      seeds: number('200'),
      'seed-from': number('1'),
      traces: number('60'),
      'own-process': number('20'),
      parallel: number('2'),
    },
  });
  const scratch = makeScratchFolder('damage');
  try {
    const store = await makeKnownStore(join(scratch, 'known'), Number(values.traces));
    const undamaged = await damageOnce(store, join(scratch, 'undamaged'), 0, false);
    const first = Number(values['seed-from']);
    const left = Array.from({ length: Number(values.seeds) }, (_, at) => first + at);
    const outcomes: Outcome[] = [];
    const work = async () => {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
        const outcome = await damageOnce(store, join(scratch, String(seed)), seed, seed % Number(values['own-process']) === 0);
        outcomes.push(outcome);
        for (const wrong of wrongOf(outcome)) process.stdout.write(`seed ${seed} (${outcome.what}): ${wrong}\n`);
      }
    };
    await Promise.all(Array.from({ length: Number(values.parallel) }, work));
    return [undamagedVerdict(undamaged), ...verdictsOf(outcomes)];
  } finally {
    removeFolder(scratch);
  }
}

const unreported = ({ isReported, isSetAside, incomplete, marked }: Outcome): string[] =>
  isReported || isSetAside ? [] : incomplete.filter((id) => !marked.includes(id));

function wrongOf(outcome: Outcome): string[] {
  const silent = unreported(outcome);
  const message =
    silent.length === 0 ? [] : [`${silent.length} traces cannot be read completely and are not reported: ${silent.slice(0, 5).join()}`];
  return [...outcome.wrong, ...message];
}

async function damageOnce(store: KnownStore, folder: string, seed: number, isOwnProcess: boolean): Promise<Outcome> {
  copyStore(store.folder, folder);
  const what = seed === 0 ? 'nothing' : flipBytes(folder, seed);
  try {
    const results = await (isOwnProcess ? inOwnProcess(folder, store) : inThisProcess(folder, store));
    return { ...results, seed, what, isOwnProcess };
  } finally {
    removeFolder(folder);
  }
}

type StoreResults = ReadResults & { isSetAside: boolean };
const nothing: StoreResults = { wrong: [], incomplete: [], marked: [], isReported: true, reads: 0, refused: [], isSetAside: true };

async function inOwnProcess(folder: string, { traces }: KnownStore): Promise<StoreResults> {
  const gateway = spawnGateway(folder);
  const url = await gateway.ready.catch((error: Error) => error);
  if (url instanceof Error) return refusalOf(url.message);
  const client = new HttpClient(url);
  try {
    const isSetAside = gateway.stderr().includes('It was set aside');
    const results = isSetAside ? nothing : await judgeReads(client, traces);
    const isChecked = () => gateway.stderr().includes('store_checked');
    return { ...results, isSetAside, isReported: await isReportedAfterCheck(client, isChecked) };
  } finally {
    client.close();
    await gateway.stop();
  }
}

async function inThisProcess(folder: string, { traces }: KnownStore): Promise<StoreResults> {
  const events: string[] = [];
  const log = { info: (event: string) => void events.push(event), error: (event: string) => void events.push(event) };
  const started = await startLocalGateway({ port: 0, dataDir: folder, projectDir: folder, log, environment: {} }).catch(
    (error: Error) => error,
  );
  if (started instanceof Error) return refusalOf(started.message);
  const gateway: LocalGateway = started;
  const client = new HttpClient(gateway.url);
  try {
    const isSetAside = gateway.quarantined !== null;
    const results = isSetAside ? nothing : await judgeReads(client, traces);
    return { ...results, isSetAside, isReported: await isReportedAfterCheck(client, () => events.includes('store_checked')) };
  } finally {
    client.close();
    await gateway.stop();
  }
}

/** Waits for the end of the check that follows a kill. */
async function isReportedAfterCheck(client: HttpClient, isChecked: () => boolean): Promise<boolean> {
  for (let left = 600; left > 0 && !isChecked(); left--) {
    if (await reportsDamage(client)) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return reportsDamage(client);
}

/** A store that must not be touched is refused with one sentence; anything else is a crash. */
const refusalOf = (message: string): StoreResults => {
  const sentence = message.split('\n', 1)[0] as string;
  const isSentence = /store/i.test(message) && !/\n\s+at /.test(message);
  return { ...nothing, isSetAside: true, wrong: isSentence ? [] : [`the gateway did not start: ${sentence} ${message.slice(0, 600)}`] };
};

/** Without damage everything must be complete and nothing reported: otherwise this scenario itself is wrong. */
const undamagedVerdict = ({ wrong, incomplete, refused, isReported }: Outcome): Verdict => ({
  what: `an undamaged store: ${wrong.length} wrong answers, ${refused.length} refused, ${incomplete.length} traces incomplete, damage ${isReported ? 'reported' : 'not reported'}`,
  ok: wrong.length + refused.length + incomplete.length === 0 && !isReported,
});

function verdictsOf(outcomes: Outcome[]): Verdict[] {
  const count = (holds: (outcome: Outcome) => boolean) => outcomes.filter(holds).length;
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const wrong = count((outcome) => outcome.wrong.length > 0);
  const silent = count((outcome) => unreported(outcome).length > 0);
  const facts = [
    `${outcomes.length} damaged stores, ${count(({ isOwnProcess }) => isOwnProcess)} of them in processes of their own`,
    `${count(({ isSetAside }) => isSetAside)} set aside or refused`,
    `${count(({ isReported }) => isReported)} reported as damaged`,
    `${sum(({ reads }) => reads)} reads, ${sum(({ refused }) => refused.length)} of them 503`,
    `${sum(({ incomplete }) => incomplete.length)} traces incomplete`,
  ].join('; ');
  return [
    {
      what: `every response is a success or a storage error: ${wrong} of ${outcomes.length} stores had others (${facts})`,
      ok: wrong === 0,
    },
    { what: `every trace that cannot be read completely is reported: ${silent} stores missed some`, ok: silent === 0 },
  ];
}
