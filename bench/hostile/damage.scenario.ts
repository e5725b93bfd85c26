/**
 * A store that was killed in mid-write and then damaged, again and again with other bytes: no read may answer 500, ingest goes on or is
 * refused as the store's fault, and a trace that cannot be read whole is told. Options: `--seeds 200`, `--seed-from 1`, `--traces 60`,
 * `--own-process 20` (every so many-th seed runs in a real process of its own), `--parallel 2`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalGateway, startLocalGateway } from '../../server/entry/local.ts';
import { flipBytes } from '../damage/flip-bytes.ts';
import { type Judged, judgeReads, tells } from '../damage/judge-reads.ts';
import { copyStore, type KnownStore, makeKnownStore } from '../damage/known-store.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import type { Verdict } from './scenario.ts';

interface Outcome extends Judged {
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
    const sound = await damageOnce(store, join(scratch, 'sound'), 0, false);
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
    return [soundVerdict(sound), ...verdictsOf(outcomes)];
  } finally {
    removeFolder(scratch);
  }
}

const untold = ({ isTold, isSetAside, notWhole, markedThemselves }: Outcome): string[] =>
  isTold || isSetAside ? [] : notWhole.filter((id) => !markedThemselves.includes(id));

function wrongOf(outcome: Outcome): string[] {
  const silent = untold(outcome);
  const told =
    silent.length === 0 ? [] : [`${silent.length} traces cannot be read whole, and nothing says so: ${silent.slice(0, 5).join()}`];
  return [...outcome.wrong, ...told];
}

async function damageOnce(store: KnownStore, folder: string, seed: number, isOwnProcess: boolean): Promise<Outcome> {
  copyStore(store.folder, folder);
  const what = seed === 0 ? 'nothing' : flipBytes(folder, seed);
  try {
    const judged = await (isOwnProcess ? inOwnProcess(folder, store) : inThisProcess(folder, store));
    return { ...judged, seed, what, isOwnProcess };
  } finally {
    removeFolder(folder);
  }
}

type Judgement = Judged & { isSetAside: boolean };
const nothing: Judgement = { wrong: [], notWhole: [], markedThemselves: [], isTold: true, reads: 0, refused: [], isSetAside: true };

async function inOwnProcess(folder: string, { traces }: KnownStore): Promise<Judgement> {
  const gateway = spawnGateway(folder);
  const url = await gateway.ready.catch((error: Error) => error);
  if (url instanceof Error) return refusalOf(url.message);
  const client = new HttpClient(url);
  try {
    const isSetAside = gateway.complaints().includes('It was set aside');
    const judged = isSetAside ? nothing : await judgeReads(client, traces);
    const isChecked = () => gateway.complaints().includes('store_checked');
    return { ...judged, isSetAside, isTold: await isToldOnce(client, isChecked) };
  } finally {
    client.close();
    await gateway.stop();
  }
}

async function inThisProcess(folder: string, { traces }: KnownStore): Promise<Judgement> {
  const said: string[] = [];
  const log = { info: (event: string) => void said.push(event), error: (event: string) => void said.push(event) };
  const started = await startLocalGateway({ port: 0, dataDir: folder, projectDir: folder, log, environment: {} }).catch(
    (error: Error) => error,
  );
  if (started instanceof Error) return refusalOf(started.message);
  const gateway: LocalGateway = started;
  const client = new HttpClient(gateway.url);
  try {
    const isSetAside = gateway.quarantined !== null;
    const judged = isSetAside ? nothing : await judgeReads(client, traces);
    return { ...judged, isSetAside, isTold: await isToldOnce(client, () => said.includes('store_checked')) };
  } finally {
    client.close();
    await gateway.stop();
  }
}

/** After the check that follows a kill has ended. */
async function isToldOnce(client: HttpClient, isChecked: () => boolean): Promise<boolean> {
  for (let left = 600; left > 0 && !isChecked(); left--) {
    if (await tells(client)) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return tells(client);
}

/** A store that must not be touched is refused with a sentence; anything else is a crash. */
const refusalOf = (message: string): Judgement => {
  const sentence = message.split('\n', 1)[0] as string;
  const isSentence = /store/i.test(message) && !/\n\s+at /.test(message);
  return { ...nothing, isSetAside: true, wrong: isSentence ? [] : [`the gateway did not start: ${sentence} ${message.slice(0, 600)}`] };
};

/** Without damage all of it must be whole and nothing told: else the judge is wrong. */
const soundVerdict = ({ wrong, notWhole, refused, isTold }: Outcome): Verdict => ({
  what: `a sound store: ${wrong.length} wrong answers, ${refused.length} refused, ${notWhole.length} traces not whole, ${isTold ? 'told' : 'not told'}`,
  ok: wrong.length + refused.length + notWhole.length === 0 && !isTold,
});

function verdictsOf(outcomes: Outcome[]): Verdict[] {
  const count = (holds: (outcome: Outcome) => boolean) => outcomes.filter(holds).length;
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0);
  const wrong = count((each) => each.wrong.length > 0);
  const silent = count((each) => untold(each).length > 0);
  const facts = [
    `${outcomes.length} damaged stores, ${count((each) => each.isOwnProcess)} of them in processes of their own`,
    `${count((each) => each.isSetAside)} set aside or refused`,
    `${count((each) => each.isTold)} told as damaged`,
    `${sum((each) => each.reads)} reads, ${sum((each) => each.refused.length)} of them 503`,
    `${sum((each) => each.notWhole.length)} traces not whole`,
  ].join('; ');
  return [
    { what: `no answer but those of a store that says what it is: ${wrong} of ${outcomes.length} had another (${facts})`, ok: wrong === 0 },
    { what: `every trace that cannot be read whole is told: ${silent} stores kept silent`, ok: silent === 0 },
  ];
}
