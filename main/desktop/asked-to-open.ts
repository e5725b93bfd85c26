/** What a launch names beside its options: links of ours and files. Of a second launch nothing else is read. */
import { resolve } from 'node:path';
import { traceFileEndings } from '../../shared/trace-file.ts';
import { linkedTrace, traceRoute } from './deep-link.ts';

export type ToOpen = { route: string } | { file: string };

const named = new RegExp(`\\.(${traceFileEndings.join('|')})$`, 'i');

/** Of a link that the system hands over. Never a file: a page of the web may have written it. */
export function linked(link: string): ToOpen[] {
  const traceId = linkedTrace(link);
  return traceId === null ? [] : [{ route: traceRoute(traceId) }];
}

/** @param words without the program itself; Chromium puts switches of its own among them */
export function askedToOpen(words: readonly string[], folder: string): ToOpen[] {
  return words.flatMap((word): ToOpen[] => {
    const isFile = !word.startsWith('-') && !/^[a-z][a-z0-9+.-]+:/i.test(word) && named.test(word);
    return isFile ? [{ file: resolve(folder, word) }] : linked(word);
  });
}
