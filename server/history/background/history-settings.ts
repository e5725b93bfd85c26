/** Whose history is shown, in a file of the data folder. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { jsonOf } from '../../platform/json.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { type HistoryAgent, historyAgents } from '../sources.ts';

const document = z.object({ version: z.literal(1), shown: z.array(z.enum(historyAgents)) });

/** Nobody's for a missing or damaged file: it is never read without being asked for. */
export async function readShown(file: string): Promise<Set<HistoryAgent>> {
  const found = document.safeParse(jsonOf(await readFile(file, 'utf8').catch(() => '')));
  return new Set(found.success ? found.data.shown : []);
}

/** @throws what the file system throws */
export const writeShown = (file: string, shown: ReadonlySet<HistoryAgent>): Promise<void> =>
  replaceFile(file, `${JSON.stringify({ version: 1, shown: historyAgents.filter((agent) => shown.has(agent)) })}\n`);
