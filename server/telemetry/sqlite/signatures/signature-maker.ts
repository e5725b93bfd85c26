/**
 * Makes signatures in idle time, a few milliseconds at a time, on the write thread, so that no row changes during a step. They may lag behind
 * the rows: what has no signature is read. The newest spans come first, because lists begin with them.
 */
import type { OpenDatabase } from '../file/open.ts';
import { GroupBuilder, SignatureSources } from './group-builder.ts';
import { blockUnits, groupOf, groupUnits, signatureFormat, unitOf, unitSpans } from './units.ts';

/** With more changed spans than this, the group with most of them is made again. */
const changesMax = 2048;

export class SignatureMaker {
  readonly #sources: SignatureSources;
  readonly #newestSpan;
  readonly #oldestSpan;
  readonly #mostChanged;
  readonly #dropOthers;
  /** The group with the newest spans, and a group with older ones. */
  #newest: GroupBuilder | null = null;
  #older: GroupBuilder | null = null;

  constructor(db: OpenDatabase) {
    this.#sources = new SignatureSources(db);
    this.#newestSpan = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM span').pluck();
    const spansOfGroup = unitSpans * groupUnits;
    this.#mostChanged = db.prepare<[number], { part: number; total: number }>(
      `SELECT span / ${spansOfGroup} AS part, sum(count(*)) OVER () AS total FROM content_change WHERE span < ?
       GROUP BY part ORDER BY count(*) DESC LIMIT 1`,
    );
    this.#dropOthers = db.prepare('DELETE FROM signature WHERE first IN (SELECT first FROM signature WHERE format <> ? LIMIT 8)');
    this.#oldestSpan = db.prepare<[], number>('SELECT coalesce(min(id), 0) FROM span').pluck();
  }

  /** Runs one step. False when there is nothing to do until something is written. */
  step(): boolean {
    const complete = unitOf((this.#newestSpan.get() ?? 0) + 1);
    const builder = this.#newestBuilder(complete) ?? this.#olderBuilder(complete);
    if (!builder) return this.#dropOthers.run(signatureFormat).changes > 0;
    builder.step();
    if (builder.isComplete) this.#finish(builder);
    return true;
  }

  /** Begins the groups in progress again, because they may hold words of spans that were deleted since. */
  forget(): void {
    this.#newest = null;
    this.#older = null;
  }

  /** @param complete number of units that get no more spans */
  #newestBuilder(complete: number): GroupBuilder | null {
    const group = groupOf(complete);
    if (this.#newest && this.#newest.group !== group && this.#newest.next >= complete) this.#newest = null;
    // Words of fewer units are not stored.
    if (!this.#newest && complete - group * groupUnits < blockUnits) return null;
    this.#newest ??= this.#builderOf(group);
    return this.#newest.next < complete ? this.#newest : null;
  }

  #olderBuilder(complete: number): GroupBuilder | null {
    if (this.#older) return this.#older;
    const groups = groupOf(complete);
    const stored = this.#storedUnits();
    for (let group = groups - 1; group >= groupOf(unitOf(this.#oldestSpan.get() ?? 0)); group--) {
      if (stored.get(group) === groupUnits || this.#newest?.group === group) continue;
      this.#older = this.#builderOf(group, stored);
      return this.#older;
    }
    const changed = this.#mostChanged.get(groups * groupUnits * unitSpans);
    if (changed && changed.total > changesMax) this.#older = this.#builderOf(changed.part, stored);
    return this.#older;
  }

  #builderOf(group: number, stored = this.#storedUnits()): GroupBuilder {
    return new GroupBuilder(group, this.#sources, stored.get(group) ?? 0);
  }

  /** Number of stored units of each group, counted from its start. */
  #storedUnits(): Map<number, number> {
    const stored = new Map<number, number>();
    for (const { first, units } of this.#sources.signatures.list()) stored.set(groupOf(first), (stored.get(groupOf(first)) ?? 0) + units);
    return stored;
  }

  #finish(builder: GroupBuilder): void {
    if (this.#newest === builder) this.#newest = null;
    if (this.#older === builder) this.#older = null;
  }
}
