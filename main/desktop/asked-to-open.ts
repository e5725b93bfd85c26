/** Links and files of a launch. A second launch may not set anything else. */
import { resolve } from 'node:path';
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
