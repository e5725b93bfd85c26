/** What `glasshouse connect` changed in which files, kept in the data folder so that `--remove` can undo it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../platform/replace-file.ts';
import { CommandError, exitCode } from '../command.ts';
import { printable } from '../terminal.ts';
import { type RememberedChange, rememberedChange } from './connection.ts';

/** By the path of the changed file, with links followed. */
const remembered = z.object({ version: z.literal(1), files: z.record(z.string(), rememberedChange) });
type Remembered = z.output<typeof remembered>;

export class RememberedChanges {
  readonly #path: string;

  /** @param dataDir of the gateway; the file holds values that were replaced, so only its owner can read it */
  constructor(dataDir: string) {
    this.#path = join(dataDir, 'agent-connections.json');
  }

  async of(file: string): Promise<RememberedChange | null> {
    return (await this.#read()).files[file] ?? null;
  }

  /** @param change null forgets it */
  async set(file: string, change: RememberedChange | null): Promise<void> {
    const { files } = await this.#read();
    const { [file]: _, ...others } = files;
    const content: Remembered = { version: 1, files: change === null ? others : { ...others, [file]: change } };
    await replaceFile(this.#path, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** @throws CommandError for a file that this version does not read: without it, changes could not be undone */
  async #read(): Promise<Remembered> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return { version: 1, files: {} };
    try {
      return remembered.parse(JSON.parse(text));
    } catch {
      const why = 'is damaged or of a newer version. Move it away to go on; what was connected before can then not be undone.';
      throw new CommandError(exitCode.failed, `${printable(this.#path)} ${why}`);
    }
  }
}
