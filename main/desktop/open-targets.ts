/** Links and files that a launch asks to open. A second launch can do nothing else. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { traceFileExtensions } from '../../shared/trace-file.ts';
import { traceIdOfLink, traceRoute } from './deep-link.ts';

export type OpenTarget = { route: string } | { file: string };

const traceFileName = new RegExp(`\\.(${traceFileExtensions.join('|')})$`, 'i');

/** Parses a link that the system hands over. Never a file, because the link may come from a web page. */
export function parseLink(link: string): OpenTarget[] {
  const traceId = traceIdOfLink(link);
  return traceId === null ? [] : [{ route: traceRoute(traceId) }];
}

/** @param words arguments without the program; Chromium adds switches of its own */
export function parseOpenTargets(words: readonly string[], folder: string): OpenTarget[] {
  return words.flatMap((word): OpenTarget[] => {
    const isFile = !word.startsWith('-') && !/^[a-z][a-z0-9+.-]+:/i.test(word) && traceFileName.test(word);
    return isFile ? [{ file: resolve(folder, word) }] : parseLink(word);
  });
}

/** The part behind # of an address of our own page; null for every other address, also of the same gateway. */
export function ownRoute(text: string, page: string): string | null {
  const [target, own] = [URL.parse(text), new URL(page)];
  if (target === null || target.origin !== own.origin || target.pathname !== own.pathname || target.search !== own.search) return null;
  return target.username === '' && target.password === '' && target.hash.startsWith('#/') ? target.hash : null;
}

/** Arguments that a second launch passes to the first, possibly from another version. */
const launch = z.object({ words: z.array(z.string().max(4096)).max(100) });

/** Empty for invalid data. */
export function readLaunchWords(sent: unknown): string[] {
  const parsed = launch.safeParse(sent);
  return parsed.success ? parsed.data.words : [];
}
