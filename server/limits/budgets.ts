/** Budgets of the user of a machine, in a file of the data folder. */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type BudgetDraft, budgetDraft, budgetsMax } from '../../shared/contract/viewer/budget-shape.ts';
import { jsonOf } from '../platform/json.ts';
import type { Log } from '../platform/log.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { StorageError } from '../telemetry/storage-error.ts';

const document = z.object({ version: z.literal(1), budgets: z.array(budgetDraft).max(budgetsMax) });

function failKeeping(error: NodeJS.ErrnoException): never {
  throw new StorageError('io', `The budgets could not be kept (${error.code ?? error.message})`);
}

function failReading(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw new StorageError('io', `The budgets could not be read: ${error.message}`);
}

export class Budgets {
  readonly #file: string;
  readonly #log: Log;
  #budgets: Promise<readonly BudgetDraft[]> | null = null;

  constructor(dataDir: string, log: Log) {
    this.#file = join(dataDir, 'budgets.json');
    this.#log = log;
  }

  /** None for a missing or damaged file. @throws StorageError when the file cannot be read; it is tried again then */
  list(): Promise<readonly BudgetDraft[]> {
    this.#budgets ??= this.#read().catch((error: unknown) => {
      this.#budgets = null;
      throw error;
    });
    return this.#budgets;
  }

  /** @throws StorageError; the budgets are those of before then */
  async replace(budgets: readonly BudgetDraft[]): Promise<void> {
    await replaceFile(this.#file, `${JSON.stringify({ version: 1, budgets })}\n`).catch(failKeeping);
    this.#budgets = Promise.resolve(budgets);
  }

  async #read(): Promise<readonly BudgetDraft[]> {
    const text = await readFile(this.#file, 'utf8').catch(failReading);
    if (text === null) return [];
    const found = document.safeParse(jsonOf(text));
    if (found.success) return found.data.budgets;
    // The next change replaces the file.
    const kept = `${this.#file}.unread-${Date.now()}`;
    await copyFile(this.#file, kept).catch(() => {});
    this.#log.error('budgets_not_read', { file: this.#file, kept });
    return [];
  }
}
