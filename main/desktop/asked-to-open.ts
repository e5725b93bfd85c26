/** Links and files of a launch. A second launch may not set anything else. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { traceFileEndings } from '../../shared/trace-file.ts';
import { linkedTrace, traceRoute } from './deep-link.ts';

export type ToOpen = { route: string } | { file: string };

const named = new RegExp(`\\.(${traceFileEndings.join('|')})$`, 'i');

/** Parses a link that the system hands over. Never a file, because a web page may have written it. */
export function linked(link: string): ToOpen[] {
  const traceId = linkedTrace(link);
  return traceId === null ? [] : [{ route: traceRoute(traceId) }];
}

/** @param words arguments without the program; Chromium adds switches of its own */
export function askedToOpen(words: readonly string[], folder: string): ToOpen[] {
  return words.flatMap((word): ToOpen[] => {
    const isFile = !word.startsWith('-') && !/^[a-z][a-z0-9+.-]+:/i.test(word) && named.test(word);
    return isFile ? [{ file: resolve(folder, word) }] : linked(word);
  });
}

/** The part behind # of an address of our own page; null for every other address, also of the same gateway. */
export function ownRoute(text: string, page: string): string | null {
  const [asked, own] = [URL.parse(text), new URL(page)];
  if (asked === null || asked.origin !== own.origin || asked.pathname !== own.pathname || asked.search !== own.search) return null;
  return asked.username === '' && asked.password === '' && asked.hash.startsWith('#/') ? asked.hash : null;
}

/** Arguments that a second launch passes to the first, possibly from another version. */

const launch = z.object({ words: z.array(z.string().max(4096)).max(100) });

/** Empty for invalid data. */
export function sentWords(sent: unknown): string[] {
  const parsed = launch.safeParse(sent);
  return parsed.success ? parsed.data.words : [];
}
