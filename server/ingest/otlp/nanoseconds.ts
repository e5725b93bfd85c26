import { UnreadableSpan } from './decoded.ts';

const uint64Max = 2n ** 64n - 1n;
const digits = /^\d{1,20}$/;
const isoDate = /^\d{4}-\d{2}-\d{2}[T ]/;

/**
 * Reads a time as unsigned nanoseconds in decimal text, exact to the nanosecond ("0" when absent).
 * Besides the specified decimal text it takes numbers and ISO dates, which hand-written exporters send (docs/reference/ingest.md#times).
 */
export function readNanoseconds(value: unknown, field: string): string {
  if (value === undefined || value === null || value === '') return '0';
  if (typeof value === 'string') {
    if (digits.test(value)) return checked(BigInt(value), field);
    if (isoDate.test(value)) return fromIso(value, field);
  }
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return checked(BigInt(Math.floor(value)), field);
  throw new UnreadableSpan(`${field} is not an unsigned 64-bit number of nanoseconds`);
}

function fromIso(text: string, field: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new UnreadableSpan(`${field} is not a time`);
  const fraction = /\.(\d{1,9})/.exec(text)?.[1] ?? '';
  const belowMs = BigInt(fraction.padEnd(9, '0').slice(3));
  return checked(BigInt(ms) * 1_000_000n + belowMs, field);
}

function checked(value: bigint, field: string): string {
  if (value > uint64Max || value < 0n) throw new UnreadableSpan(`${field} does not fit in 64 bits`);
  return value.toString();
}
