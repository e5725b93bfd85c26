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

const known = z.object({
  since_ms: z.number(),
  last: z.string(),
  met: z.partialRecord(z.enum(damagedKinds), z.array(z.string())),
  kept: z.array(z.string()),
});
type Known = z.output<typeof known>;

/** Damage noted by an earlier run or another program; null for none. */
export function readDamage(dataDir: string): StoreDamage | null {
  const found = load(damageFile(dataDir));
  return found && publicOf(found);
}

/** Notes damage found before the store is open. */
export function noteDamage(dataDir: string, damage: Damage): void {
  const file = damageFile(dataDir);
  save(file, add(load(file), damage, Date.now()));
}

export class DamageBook implements DamageWatch {
  readonly #file: string;
  readonly #log: Log;
  readonly #isKnown: Int32Array;
  #known: Known | null;
  #saving: NodeJS.Timeout | undefined;
  #loggedAt = Number.NEGATIVE_INFINITY;

  /** @param isKnown becomes 1 with the first damage, for threads that look at it */
  constructor(dataDir: string, log: Log, isKnown: Int32Array) {
    this.#file = damageFile(dataDir);
    this.#log = log;
    this.#isKnown = isKnown;
    this.#known = load(this.#file);
    if (!this.#known) return;
    Atomics.store(isKnown, 0, 1);
    this.#tell(this.#known);
  }

  now(): StoreDamage | null {
    return this.#known && publicOf(this.#known);
  }

  note(damage: Damage): void {
    if (this.#known?.met[damage.kind]?.includes(damage.id)) return;
    const isFirst = !this.#known;
    this.#known = add(this.#known, damage, Date.now());
    Atomics.store(this.#isKnown, 0, 1);
    if (isFirst) this.#save();
    else this.#saving ??= setTimeout(() => this.#save(), saveMs).unref();
    if (performance.now() - this.#loggedAt >= logMs) this.#tell(this.#known);
  }

  stop(): void {
    if (this.#saving) this.#save();
  }

  #save(): void {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (!this.#known) return;
    try {
      save(this.#file, this.#known);
    } catch (error) {
      // The running gateway still reports it.
      this.#log.error('damage_not_noted', { file: this.#file, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #tell({ since_ms, last, met, kept }: Known): void {
    this.#loggedAt = performance.now();
    const counts = publicOf({ since_ms, last, met, kept }).counts;
    this.#log.error('store_damaged', { since: new Date(since_ms).toISOString(), counts, last, kept, todo: 'glasshouse doctor' });
  }
}

function add(before: Known | null, { kind, id, why, kept }: Damage, now: number): Known {
  const { since_ms = now, met = {}, kept: folders = [] } = before ?? {};
  const ids = met[kind] ?? [];
  return {
    since_ms,
    last: why,
    met: { ...met, [kind]: ids.length < idsMax && !ids.includes(id) ? [...ids, id] : ids },
    kept: kept === undefined || folders.includes(kept) ? folders : [...folders, kept],
  };
}

const publicOf = ({ since_ms, last, met, kept }: Known): StoreDamage => ({
  since_ms,
  last,
  counts: Object.fromEntries(Object.entries(met).map(([kind, ids]) => [kind, ids.length])),
  kept,
});

/** An unreadable file still means that damage was noted. */
function load(file: string): Known | null {
  if (!existsSync(file)) return null;
  try {
    return known.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { since_ms: Date.now(), last: `${file} cannot be read`, met: {}, kept: [] };
  }
}

function save(file: string, what: Known): void {
  const written = `${file}.new`;
  const opened = openSync(written, 'w', 0o600);
  try {
    writeSync(opened, `${JSON.stringify(what, null, 2)}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(written, file);
}
