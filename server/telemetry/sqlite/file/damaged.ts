/**
 * Handles stored bytes that differ from those written. Decoders throw a StorageError `corrupt`; reads of several items skip the damaged one
 * and note it here, so that it is reported instead of silently missing.
 */
import type { Damage, DamagedKind } from '../../damage.ts';
import { StorageError } from '../../storage-error.ts';
import { storageErrorKind } from './storage-error-kind.ts';

/** Content of a stored record, or the reason why it is lost for good. Transient failures, such as a disk error or a timeout, are thrown. */
export function readOrWhy<T>(read: () => T): { value: T; why?: undefined } | { value: null; why: string } {
  try {
    return { value: read() };
  } catch (error) {
    const errorKind = errorKindOf(error);
    if (errorKind !== null && errorKind !== 'corrupt') throw error;
    return { value: null, why: error instanceof Error ? error.message : String(error) };
  }
}

export const isDamage = (error: unknown): boolean => errorKindOf(error) === 'corrupt';

const errorKindOf = (error: unknown) => (error instanceof StorageError ? error.errorKind : storageErrorKind(error));

/** @throws StorageError `corrupt` for any failure while decoding stored bytes, except disk errors */
export function decoding<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (errorKindOf(error) !== null) throw error;
    throw new StorageError('corrupt', `${what} is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Resolves a reference between rows. @throws StorageError `corrupt` when its target is missing */
export function stored<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new StorageError('corrupt', `${what} is missing, though other rows point to it`);
  return value;
}

/** @throws StorageError `corrupt` */
export function storedJson<T>(text: unknown, what: string, isExpected: (value: unknown) => boolean): T {
  const value: unknown = decoding(what, () => JSON.parse(String(text)));
  if (!isExpected(value)) throw new StorageError('corrupt', `${what} is damaged: it has an unexpected type`);
  return value as T;
}

export const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** @throws StorageError `corrupt` */
export const storedTags = (text: unknown): string[] => (text === '[]' ? [] : storedJson<string[]>(text, 'A list of tags', isTextList));

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A damaged row may hold any type in any column. @throws StorageError `corrupt` */
export function requireNumbers<R extends object>(row: R, columns: readonly (keyof R & string)[], what: string): void {
  for (const column of columns) {
    if (Number.isFinite(row[column])) continue;
    throw new StorageError('corrupt', `${what} is damaged: its ${column} is not a number`);
  }
}

/** Like `requireNumbers`. */
export function requireTexts<R extends object>(row: R, columns: readonly (keyof R & string)[], what: string): void {
  for (const column of columns) {
    if (typeof row[column] === 'string') continue;
    throw new StorageError('corrupt', `${what} is damaged: its ${column} is not text`);
  }
}

/** Number of reported items remembered; beyond it an item may be reported again, which costs a message. */
const reportedMax = 10_000;

/** Reports the damage that one thread reads, each item once. */
export class DamageReporter {
  readonly #send: (damage: Damage) => void;
  readonly #reported = new Set<string>();

  constructor(send: (damage: Damage) => void = () => {}) {
    this.#send = send;
  }

  report(kind: DamagedKind, id: unknown, why: string): void {
    const key = `${kind} ${String(id)}`;
    if (this.#reported.has(key)) return;
    if (this.#reported.size >= reportedMax) this.#reported.clear();
    this.#reported.add(key);
    this.#send({ kind, id: String(id), why: why.split('\n', 1)[0] as string });
  }

  /** Result of the read; null when it was damaged, which is reported. */
  read<T>(kind: DamagedKind, id: unknown, read: () => T): T | null {
    const { value, why } = readOrWhy(read);
    if (why !== undefined) this.report(kind, id, why);
    return value;
  }

  /** Whether a row holds only numbers; otherwise it is reported. */
  isNumeric(kind: DamagedKind, id: unknown, row: readonly unknown[]): boolean {
    if (row.every((value) => Number.isFinite(value))) return true;
    this.report(kind, id, 'One of its columns is not a number');
    return false;
  }

  /** Result of the read; damage is reported and thrown. */
  readOrThrow<T>(kind: DamagedKind, id: unknown, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (isDamage(error)) this.report(kind, id, error instanceof Error ? error.message : String(error));
      if (error instanceof StorageError) error.isReported = true;
      throw error;
    }
  }

  /** Maps each row; damaged ones are left out. */
  rows<R extends { id?: unknown }, T>(kind: DamagedKind, rows: Iterable<R>, map: (row: R) => T): T[] {
    const mapped: T[] = [];
    for (const row of rows) {
      const { value, why } = readOrWhy(() => ({ item: map(row) }));
      if (why === undefined) mapped.push(value.item);
      else this.report(kind, row.id, why);
    }
    return mapped;
  }

  /** The rows with these ids, in this order: read together, or one by one if one of them is damaged. */
  fetch<R>(kind: DamagedKind, ids: readonly number[], all: () => R[], one: (id: number) => R | undefined): R[] {
    const { value: rows } = readOrWhy(all);
    if (rows?.length === ids.length) return rows;
    return ids.flatMap((id) => {
      const row = this.read(kind, id, () => stored(one(id), `Row ${id} of ${kind}s`));
      return row === null ? [] : [row];
    });
  }
}
