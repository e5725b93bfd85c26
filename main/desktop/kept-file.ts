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
  /** Each accepts undefined and makes its default of it. */
  fields: F;
  migrations?: readonly Migration[];
  now?: () => number;
}

const document = z.looseObject({ version: z.int().min(1) });

export class KeptFile<F extends Fields> {
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
    const { values, isWhole } = this.#read();
    this.#values = values;
    if (isWhole) return;
    this.setAside = `${path}.unread-${now()}`;
    copyFileSync(path, this.setAside);
  }

  get values(): Readonly<Values<F>> {
    return this.#values;
  }

  /** Durable on return. @throws errors of the file system; the previous values stay */
  change(some: Partial<Values<F>>): void {
    const values = { ...this.#values, ...some };
    writeWhole(this.#path, `${JSON.stringify({ version: this.#migrations.length + 1, ...values }, null, 2)}\n`);
    this.#values = values;
  }

  #read(): { values: Values<F>; isWhole: boolean } {
    const text = textOf(this.#path);
    if (text === null) return { values: this.#fit({}).values, isWhole: true };
    const parsed = document.safeParse(parsedJson(text));
    if (!parsed.success) return { values: this.#fit({}).values, isWhole: false };
    const { version, ...old } = parsed.data;
    const isKnown = version <= this.#migrations.length + 1;
    try {
      const fitted = this.#fit(this.#migrations.slice(version - 1).reduce<Record<string, unknown>>((read, migrate) => migrate(read), old));
      return { values: fitted.values, isWhole: isKnown && fitted.isWhole };
    } catch {
      return { values: this.#fit({}).values, isWhole: false };
    }
  }

  #fit(read: Record<string, unknown>): { values: Values<F>; isWhole: boolean } {
    let isWhole = true;
    const entries = Object.entries(this.#fields).map(([name, field]) => {
      const fitted = field.safeParse(Object.hasOwn(read, name) ? read[name] : undefined);
      isWhole &&= fitted.success;
      return [name, fitted.success ? fitted.data : field.parse(undefined)];
    });
    return { values: Object.fromEntries(entries) as Values<F>, isWhole };
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A power cut leaves the old file or the new one, never a part of either. */
function writeWhole(path: string, text: string): void {
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
