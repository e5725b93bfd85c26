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

/** @throws StorageError `corrupt` for any failure while stored bytes are decoded, except errors of the disk */
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
export function storedJson<T>(text: unknown, what: string, isRight: (value: unknown) => boolean): T {
  const value: unknown = decoding(what, () => JSON.parse(String(text)));
  if (!isRight(value)) throw new StorageError('corrupt', `${what} is damaged: it holds something else`);
  return value as T;
}

const areTexts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** @throws StorageError `corrupt` */
export const storedTags = (text: unknown): string[] => (text === '[]' ? [] : storedJson<string[]>(text, 'A list of tags', areTexts));

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A damaged row may hold any type in any column. @throws StorageError `corrupt` */
export function requireNumbers<R extends object>(row: R, columns: readonly (keyof R & string)[], what: string): void {
  for (const column of columns) {
    if (Number.isFinite(row[column])) continue;
    throw new StorageError('corrupt', `${what} is damaged: its ${column} is no number`);
  }
}

/** Like `requireNumbers`. */
export function requireTexts<R extends object>(row: R, columns: readonly (keyof R & string)[], what: string): void {
  for (const column of columns) {
    if (typeof row[column] === 'string') continue;
    throw new StorageError('corrupt', `${what} is damaged: its ${column} is no text`);
  }
}

/** Limit of the items reported once; beyond it an item may be reported again, which costs a message. */
const knownMax = 10_000;

/** The damage that one thread meets. */
export class Damages {
  readonly #tell: (damage: Damage) => void;
  readonly #known = new Set<string>();

  constructor(tell: (damage: Damage) => void = () => {}) {
    this.#tell = tell;
  }

  met(kind: DamagedKind, id: unknown, why: string): void {
    const key = `${kind} ${String(id)}`;
    if (this.#known.has(key)) return;
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.add(key);
    this.#tell({ kind, id: String(id), why: why.split('\n', 1)[0] as string });
  }

  /** Result of the read, or null with the damage noted. */
  read<T>(kind: DamagedKind, id: unknown, read: () => T): T | null {
    const { value, why } = readOrWhy(read);
    if (why !== undefined) this.met(kind, id, why);
    return value;
  }

  /** Whether a row of numbers is one; else it is noted. */
  isNumeric(kind: DamagedKind, id: unknown, row: readonly unknown[]): boolean {
    if (row.every((value) => Number.isFinite(value))) return true;
    this.met(kind, id, 'A number of it is none');
    return false;
  }

  /** Result of the read; damage is noted and thrown. */
  noting<T>(kind: DamagedKind, id: unknown, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (isDamage(error)) this.met(kind, id, error instanceof Error ? error.message : String(error));
      if (error instanceof StorageError) error.isTold = true;
      throw error;
    }
  }

  /** Each row in other words; the damaged ones are left out. */
  rows<R extends { id?: unknown }, T>(kind: DamagedKind, rows: Iterable<R>, map: (row: R) => T): T[] {
    const mapped: T[] = [];
    for (const row of rows) {
      const { value, why } = readOrWhy(() => ({ is: map(row) }));
      if (why === undefined) mapped.push(value.is);
      else this.met(kind, row.id, why);
    }
    return mapped;
  }

  /** The rows of these numbers, in this order: together, or one by one once a damaged page is among them. */
  fetch<R>(kind: DamagedKind, ids: readonly number[], all: () => R[], one: (id: number) => R | undefined): R[] {
    const { value: rows } = readOrWhy(all);
    if (rows?.length === ids.length) return rows;
    return ids.flatMap((id) => {
      const row = this.read(kind, id, () => stored(one(id), `Row ${id} of ${kind}s`));
      return row === null ? [] : [row];
    });
  }
}
