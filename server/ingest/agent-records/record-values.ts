/** Reads attributes of log records, which agents send as text, number or boolean as they please. */
import type { RawAttribute } from '../otlp/raw-span.ts';

/** '' when it is absent or no text or number. */
export function textIn(attributes: readonly RawAttribute[], key: string): string {
  const value = attributes.findLast(([name]) => name === key)?.[1];
  if (typeof value === 'string') return isRedacted(value) ? '' : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return '';
}

/** Null when it is absent or no number from 0 up. */
export function amountIn(attributes: readonly RawAttribute[], key: string): number | null {
  const value = attributes.findLast(([name]) => name === key)?.[1];
  const read = typeof value === 'object' && value !== null && 'double' in value ? value.double : value;
  const amount = typeof read === 'string' && read.trim() !== '' ? Number(read) : read;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : null;
}

/** What agents put where a text was not to be recorded. */
export const isRedacted = (text: string): boolean => text === '<REDACTED>' || text === '[REDACTED]';
