/** Reads attributes of log records. Agents send the same attribute as a string, a number or a boolean. */
import type { RawAttribute } from '../otlp/raw-span.ts';

/** '' unless it is a string, a number or a boolean. */
export function textIn(attributes: readonly RawAttribute[], key: string): string {
  const value = attributes.findLast(([name]) => name === key)?.[1];
  if (typeof value === 'string') return isRedacted(value) ? '' : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return '';
}

/** Null unless it is a number that is not negative. */
export function amountIn(attributes: readonly RawAttribute[], key: string): number | null {
  const value = attributes.findLast(([name]) => name === key)?.[1];
  const scalar = typeof value === 'object' && value !== null && 'double' in value ? value.double : value;
  const amount = typeof scalar === 'string' && scalar.trim() !== '' ? Number(scalar) : scalar;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : null;
}

/** Whether a text is the placeholder that agents send instead of a text that they may not record. */
export const isRedacted = (text: string): boolean => text === '<REDACTED>' || text === '[REDACTED]';
