/** Where two versions of a text differ, for people. */
import type { ChangedText } from '../../../shared/contract/tracing/context-windows.ts';
import { commonEnd, commonStart } from './similar-texts.ts';

/** UTF-16 units of each of the texts around a change, and of the change. */
const shownMax = 300;
/** How far a change is widened to whole words. */
const wordMax = 40;

export function changedText(before: string, after: string): ChangedText {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const from = wordStart(before, start);
  const kept = end - wordEnd(before, before.length - end);
  const [removed, added] = [before.slice(from, before.length - kept), after.slice(from, after.length - kept)];
  const rest = before.length - kept;
  return {
    line: countLines(before, start),
    character: start + 1,
    head: before.slice(headFrom(before, from), from).toWellFormed(),
    removed: removed.slice(0, shownMax).toWellFormed(),
    added: added.slice(0, shownMax).toWellFormed(),
    tail: before.slice(rest, tailTo(before, rest)).toWellFormed(),
    is_cut: Math.max(removed.length, added.length) > shownMax,
  };
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text.charAt(at));

function wordStart(text: string, at: number): number {
  for (let start = at; start > at - wordMax; start--) if (start === 0 || isSpace(text, start - 1)) return start;
  return at;
}

/** How many characters after `at` belong to the same word. */
function wordEnd(text: string, at: number): number {
  for (let end = at; end < at + wordMax; end++) if (end >= text.length || isSpace(text, end)) return end - at;
  return 0;
}

function countLines(text: string, to: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The start of the line two lines above. */
function headFrom(text: string, at: number): number {
  let from = at;
  for (let line = 0; line < 3 && from > 0; line++) from = text.lastIndexOf('\n', from - 2) + 1;
  return Math.max(from, at - shownMax);
}

/** The end of the line below. */
function tailTo(text: string, at: number): number {
  const line = text.indexOf('\n', at);
  const next = line < 0 ? -1 : text.indexOf('\n', line + 1);
  return Math.min(next < 0 ? text.length : next, at + shownMax);
}

const days = 'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?';
const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const names = new RegExp(`\\b(?:${days}|${months})\\b`, 'giu');
const ids = /\b(?=[a-z]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/giu;

const year = '(?:19|20)\\d\\d';
/** Versions and addresses are numbers with points, too: a date has a year of four digits. */
const moments = new RegExp(
  [
    `(?:\\b\\d{1,2}(?:st|nd|rd|th)?\\.? )?${names.source}(?:\\.? \\d{1,2}\\b)?`,
    '(?<!\\d)\\d{1,2}:[0-5]\\d(?!\\d)(?::\\d\\d)?',
    `\\b${year}-[01]\\d(?!\\d)(?:-\\d\\d)?`,
    `\\b${year}[/.]\\d{1,2}[/.]\\d{1,2}\\b`,
    `\\b\\d{1,2}[/.]\\d{1,2}[/.]${year}\\b`,
    '\\b1[67]\\d{8}(?:\\d{3})?\\b',
  ].join('|'),
  'giu',
);

/** Whether two texts differ in a time, or in numbers and ids, only; null if in something else. */
export function changedValue(before: string, after: string): 'time' | 'number' | null {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [from, kept] = [wordStart(before, start), end - wordEnd(before, before.length - end)];
  const [removed, added] = [before.slice(from, before.length - kept), after.slice(from, after.length - kept)];
  if (masked(removed) !== masked(added)) return null;
  return momentsIn(removed) === momentsIn(added) ? 'number' : 'time';
}

const momentsIn = (text: string): string => (text.match(moments) ?? []).join();

const masked = (text: string): string =>
  text
    .replaceAll(ids, '#')
    .replaceAll(names, '#')
    .replaceAll(/\b[ap]\.?m\b\.?/giu, '#')
    .replaceAll(/\d+/gu, '#');
