/** What a run of the chaos parts is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ChaosFleet, type FleetOptions } from './chaos-fleet.ts';
import { compareStored } from './compare.ts';
import { Ledger } from './ledger.ts';
import { Sender, type SendOptions } from './sender.ts';

/** Numbers that a command line may change, by their names. */
export type Sizes = Readonly<Record<string, number>>;

export interface RunContext<S extends Sizes> {
  sizes: S;
  seed: string;
  instances: number;
  log(line: string): void;
}

export interface RunResult {
  figures: string[];
  /** What is wrong; none when it has passed. */
  problems: string[];
}

export interface ChaosRun<S extends Sizes = Sizes> {
  about: string;
  /** Those of a long run. */
  sizes: S;
  quick: S;
  run(context: RunContext<S>): Promise<RunResult>;
}

/** A run with the names of its sizes. */
export const chaosRun = <S extends Sizes>(run: ChaosRun<S>): ChaosRun => run as unknown as ChaosRun;

/** Starts a fleet for a run, and stops it after it. */
export async function withFleet<T>(options: FleetOptions, work: (fleet: ChaosFleet) => Promise<T>): Promise<T> {
  const fleet = await ChaosFleet.start(options);
  try {
    return await work(fleet);
  } finally {
    await fleet.stop();
  }
}

/** Begins to send to the proxy of a fleet. */
export function sendTo(
  fleet: ChaosFleet,
  { ledger = new Ledger(), ...options }: Omit<SendOptions, 'url' | 'apps' | 'ledger'> & { ledger?: Ledger },
): { sender: Sender; ledger: Ledger } {
  return { ledger, sender: new Sender({ url: () => fleet.url, apps: fleet.apps, ledger, ...options }) };
}

/** How long the journal may take after a run. */
const appliedMs = 600_000;

/** Waits until everything is stored, and compares it with what was acknowledged. */
export async function compared(
  fleet: ChaosFleet,
  ledger: Ledger,
  { seed, raw, without }: { seed: string; raw: number; without?: ReadonlySet<number> },
): Promise<RunResult> {
  const seconds = await fleet.untilApplied(appliedMs);
  const { figures, problems } = await compareStored({ fleet, ledger, rawReads: raw, seed, ...(without && { without }) });
  return { figures: [figures, `the journal was empty after ${seconds.toFixed(1)} s`], problems };
}

/** Polls until it holds. @returns milliseconds; null when it does not within the limit */
export async function msUntil(limitMs: number, holds: () => Promise<boolean>, everyMs = 50): Promise<number | null> {
  for (const began = performance.now(); ; await sleep(everyMs)) {
    if (await holds()) return performance.now() - began;
    if (performance.now() - began > limitMs) return null;
  }
}

export const statusText = (sender: Sender): string =>
  Object.entries(sender.statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`)
    .join(', ');
