/**
 * JSON file that survives crashes and other versions: replaced atomically, and an invalid file is set aside before the first write. Valid
 * fields of it are kept.
 */
import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

type Fields = Record<string, z.ZodType>;
export type Values<F extends Fields> = { [K in keyof F]: z.output<F[K]> };
/** Migration to the next version; the last one yields the current version. */
export type Migration = (old: Record<string, unknown>) => Record<string, unknown>;

interface Shape<F extends Fields> {
  /** Each schema accepts undefined and yields its default. */
  fields: F;
  migrations?: readonly Migration[];
  now?: () => number;
}

const document = z.looseObject({ version: z.int().min(1) });

export class DurableFile<F extends Fields> {
  readonly #path: string;
  readonly #fields: F;
  readonly #migrations: readonly Migration[];
  #values: Values<F>;
  /** Path of the invalid file that was set aside; null for a valid or missing file. */
  readonly setAside: string | null = null;

  constructor(path: string, { fields, migrations = [], now = Date.now }: Shape<F>) {
    this.#path = path;
    this.#fields = fields;
    this.#migrations = migrations;
    const { values, isComplete } = this.#read();
    this.#values = values;
    if (isComplete) return;
    this.setAside = `${path}.unread-${now()}`;
    copyFileSync(path, this.setAside);
  }

  get values(): Readonly<Values<F>> {
    return this.#values;
  }

  /** Durable on return. @throws errors of the file system; the previous values stay */
  change(changes: Partial<Values<F>>): void {
    const values = { ...this.#values, ...changes };
    writeAtomically(this.#path, `${JSON.stringify({ version: this.#migrations.length + 1, ...values }, null, 2)}\n`);
    this.#values = values;
  }

  #read(): { values: Values<F>; isComplete: boolean } {
    const text = readText(this.#path);
    if (text === null) return { values: this.#parseFields({}).values, isComplete: true };
    const parsed = document.safeParse(parseJson(text));
    if (!parsed.success) return { values: this.#parseFields({}).values, isComplete: false };
    const { version, ...old } = parsed.data;
    const isKnown = version <= this.#migrations.length + 1;
    try {
      const parsedField = this.#parseFields(
        this.#migrations.slice(version - 1).reduce<Record<string, unknown>>((read, migrate) => migrate(read), old),
      );
      return { values: parsedField.values, isComplete: isKnown && parsedField.isComplete };
    } catch {
      return { values: this.#parseFields({}).values, isComplete: false };
    }
  }

  #parseFields(read: Record<string, unknown>): { values: Values<F>; isComplete: boolean } {
    let isComplete = true;
    const entries = Object.entries(this.#fields).map(([name, field]) => {
      const parsedField = field.safeParse(Object.hasOwn(read, name) ? read[name] : undefined);
      isComplete &&= parsedField.success;
      return [name, parsedField.success ? parsedField.data : field.parse(undefined)];
    });
    return { values: Object.fromEntries(entries) as Values<F>, isComplete };
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A power failure leaves the old file or the new one, never a part of either. */
function writeAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.new`;
  rmSync(beside, { force: true });
  const file = openSync(beside, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}
