/**
 * A report answers one question about traces in text, for a coding agent or a shell. It reads through the API as its caller, so it shows nothing
 * that the caller could not read.
 */
import { z } from 'zod';
import type { Client } from '../../shared/client.ts';
import { budget } from './bounded-report.ts';

export interface ReportContext {
  client: Client;
  /** Base URL of the viewer. */
  viewerUrl: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What a report found: as the API has it, and as text within a number of characters. */
export interface Found {
  data: unknown;
  text(lengthMax: number): string;
}

export interface Report<I extends z.ZodObject = z.ZodObject> {
  /** In snake case: the name of the tool. */
  name: string;
  /** One or two sentences: what it answers, and when to use it. */
  description: string;
  input: I;
  /** It changes something, and is offered only where the user allowed it. */
  writes?: true;
  find(context: ReportContext, input: z.output<I>): Promise<Found>;
}

/** Keeps the type of the input. Does nothing at run time. */
export const defineReport = <I extends z.ZodObject>(report: Report<I>): Report => report as unknown as Report;

/** Thrown for input that the caller can correct; the message says how. */
export class ReportRefusal extends Error {}

/** Accepted by every report besides its own input. */
export const maxCharacters = z.number().int().min(budget.min).max(budget.max).default(budget.default);

/** `15m`, `24h`, `7d`, or a time. */
export const since = z.string().max(40).optional().describe('15m, 24h, 7d, or an ISO time');

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** @returns milliseconds since the epoch; undefined for no limit */
export function startOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text === 'all') return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})\s*([smhdw])$/.exec(text.trim()) ?? [];
  const at = unit === '' ? Date.parse(text) : now - Number(count) * (unitMs[unit] as number);
  if (!Number.isFinite(at) || at < 0) throw new ReportRefusal(`since is ${JSON.stringify(text)}: write 15m, 24h, 7d or an ISO time`);
  return Math.floor(at);
}
