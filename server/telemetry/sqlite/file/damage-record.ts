/**
 * Persists the known damage in a small file beside the stores: a damaged store may not accept it, and a restart must not forget it. Each
 * damaged item counts once.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { damagedKinds } from '../../../../shared/contract/core/damaged.ts';
import type { Log } from '../../../platform/log.ts';
import type { Damage, DamageWatch, StoreDamage } from '../../damage.ts';

export const damageFile = (dataDir: string): string => join(dataDir, 'damage.json');

/** Ids remembered for each kind; beyond this the count is a lower bound. */
const idsMax = 1000;
const saveMs = 1000;
const logMs = 60_000;

const recordedDamage = z.object({
  since_ms: z.number(),
  last: z.string(),
  met: z.partialRecord(z.enum(damagedKinds), z.array(z.string())),
  kept: z.array(z.string()),
});
type RecordedDamage = z.output<typeof recordedDamage>;

/** Damage recorded by an earlier run or another program; null for none. */
export function readDamage(dataDir: string): StoreDamage | null {
  const record = load(damageFile(dataDir));
  return record && publicOf(record);
}

/** Records damage found before the store is open. */
export function noteDamage(dataDir: string, damage: Damage): void {
  const file = damageFile(dataDir);
  save(file, add(load(file), damage, Date.now()));
}

export class DamageRecord implements DamageWatch {
  readonly #file: string;
  readonly #log: Log;
  readonly #isKnown: Int32Array;
  #recorded: RecordedDamage | null;
  #saving: NodeJS.Timeout | undefined;
  #loggedAt = Number.NEGATIVE_INFINITY;

  /** @param isKnown becomes 1 with the first damage, for threads that read it */
  constructor(dataDir: string, log: Log, isKnown: Int32Array) {
    this.#file = damageFile(dataDir);
    this.#log = log;
    this.#isKnown = isKnown;
    this.#recorded = load(this.#file);
    if (!this.#recorded) return;
    Atomics.store(isKnown, 0, 1);
    this.#logDamage(this.#recorded);
  }

  now(): StoreDamage | null {
    return this.#recorded && publicOf(this.#recorded);
  }

  note(damage: Damage): void {
    if (this.#recorded?.met[damage.kind]?.includes(damage.id)) return;
    const isFirst = !this.#recorded;
    this.#recorded = add(this.#recorded, damage, Date.now());
    Atomics.store(this.#isKnown, 0, 1);
    if (isFirst) this.#save();
    else this.#saving ??= setTimeout(() => this.#save(), saveMs).unref();
    if (performance.now() - this.#loggedAt >= logMs) this.#logDamage(this.#recorded);
  }

  stop(): void {
    if (this.#saving) this.#save();
  }

  #save(): void {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (!this.#recorded) return;
    try {
      save(this.#file, this.#recorded);
    } catch (error) {
      // The running gateway still reports the damage.
      this.#log.error('damage_not_noted', { file: this.#file, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #logDamage({ since_ms, last, met, kept }: RecordedDamage): void {
    this.#loggedAt = performance.now();
    const counts = publicOf({ since_ms, last, met, kept }).counts;
    this.#log.error('store_damaged', { since: new Date(since_ms).toISOString(), counts, last, kept, todo: 'glasshouse doctor' });
  }
}

function add(before: RecordedDamage | null, { kind, id, why, kept }: Damage, now: number): RecordedDamage {
  const { since_ms = now, met = {}, kept: folders = [] } = before ?? {};
  const ids = met[kind] ?? [];
  return {
    since_ms,
    last: why,
    met: { ...met, [kind]: ids.length < idsMax && !ids.includes(id) ? [...ids, id] : ids },
    kept: kept === undefined || folders.includes(kept) ? folders : [...folders, kept],
  };
}

const publicOf = ({ since_ms, last, met, kept }: RecordedDamage): StoreDamage => ({
  since_ms,
  last,
  counts: Object.fromEntries(Object.entries(met).map(([kind, ids]) => [kind, ids.length])),
  kept,
});

/** An unreadable file still means that damage was noted. */
function load(file: string): RecordedDamage | null {
  if (!existsSync(file)) return null;
  try {
    return recordedDamage.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { since_ms: Date.now(), last: `${file} cannot be read`, met: {}, kept: [] };
  }
}

function save(file: string, record: RecordedDamage): void {
  const newFile = `${file}.new`;
  const descriptor = openSync(newFile, 'w', 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(record, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(newFile, file);
}
