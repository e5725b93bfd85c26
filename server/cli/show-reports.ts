/** Commands that print what coding agents can ask for (server/reports): the same reports, as text or JSON. */
import { z } from 'zod';
import { compareTraces } from '../reports/compare-traces.ts';
import { costSummary } from '../reports/cost-summary.ts';
import { findErrors } from '../reports/find-errors.ts';
import { findTraces } from '../reports/find-traces.ts';
import { lastRun } from '../reports/last-run.ts';
import { type Report, ReportRefusal } from '../reports/report.ts';
import { showSession } from '../reports/show-session.ts';
import { showSpan } from '../reports/show-span.ts';
import { showTrace } from '../reports/show-trace.ts';
import { addressHelp, addressOptions } from './address.ts';
import { type Command, CommandError, exitCode, usage, type Values } from './command.ts';
import { requireGateway, withCommandErrors } from './local-gateway.ts';
import { printable } from './terminal.ts';

interface ReportCommand {
  summary: string;
  synopsis: string;
  about: string;
  /** Names of text options, each an input of the report; its dashes stand for underscores. */
  options?: Record<string, string>;
  flags?: Record<string, string>;
  /** The report, and the inputs that the operands are. */
  of(operands: string[]): { report: Report; input: Record<string, string> } | null;
}

const maxDefault = '100000';

const command = ({ summary, synopsis, about, options = {}, flags = {}, of }: ReportCommand): Command => ({
  summary,
  help: `${synopsis} [--json] [--max N] [--url URL]

${about}

${[...Object.entries(options), ...Object.entries(flags)].map(([name, text]) => `  --${name.padEnd(12)} ${text}\n`).join('')}  --json         what the API answers, as one JSON document
  --max N        at most N characters of text (${maxDefault}); the output says what was left out
${addressHelp}

0: printed. 1: not found, or the filter is invalid. 3: no gateway answers.
`,
  options: {
    ...addressOptions,
    ...Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' as const }])),
    ...Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'boolean' as const }])),
    json: { type: 'boolean' },
    max: { type: 'string', default: maxDefault },
  },
  operands: true,
  execute: async (values, operands) => {
    const named = of(operands);
    if (!named) return usage(`Usage: ${synopsis}`);
    const { report } = named;
    const given = { ...named.input, ...optionsOf(values, [...Object.keys(options), ...Object.keys(flags)]) };
    const input = inputOf(report, given);
    const lengthMax = Number(values['max']);
    if (!Number.isInteger(lengthMax) || lengthMax < 1000) usage('--max must be a whole number of at least 1000');
    const { client, url } = await requireGateway(values);
    const found = await withCommandErrors(report.find({ client, viewerUrl: url, now: Date.now() }, input).catch(asCommandError));
    process.stdout.write(values['json'] ? `${JSON.stringify(found.data)}\n` : `${harmless(found.text(lengthMax))}\n`);
    return exitCode.ok;
  },
});

const optionsOf = (values: Values, names: readonly string[]): Record<string, string | boolean> =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name.replaceAll('-', '_'), values[name]]])));

/** Options arrive as text; the report says which are numbers. */
function inputOf({ input }: Report, given: Record<string, unknown>): Record<string, unknown> {
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d+$/.test(value) && takesNumber(input, name) ? Number(value) : value,
    ]),
  );
  const parsed = input.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return usage(`${printable(String(issue?.path.join('.') ?? ''))}: ${printable(issue?.message ?? 'is not valid')}`);
}

const takesNumber = ({ shape }: z.ZodObject, name: string): boolean =>
  shape[name] !== undefined && !z.safeParse(shape[name] as z.ZodType, 'x').success;

function asCommandError(error: unknown): never {
  if (error instanceof ReportRefusal) throw new CommandError(exitCode.failed, printable(error.message));
  throw error;
}

/** Recorded text may hold what a terminal would execute. */
const harmless = (text: string): string =>
  text
    .split('\n')
    .map((line) => printable(line, Number.MAX_SAFE_INTEGER))
    .join('\n');

const words = { since: 'only since: 15m, 24h, 7d, or an ISO time' };
const listed = { ...words, sort: 'newest, cost, duration or tokens (newest)', limit: 'how many (20)', offset: 'how many to skip (0)' };

const listing = (name: string, summary: string): Command =>
  command({
    summary,
    synopsis: `glasshouse ${name} [WORD OR CONDITION...]`,
    about: `Lists traces that match, newest first: words, "quoted texts", and conditions such as errors > 0 or tool:web_search.`,
    options: listed,
    of: (operands) => ({ report: findTraces, input: { filter: operands.join(' ') } }),
  });

export const reportCommands = {
  traces: listing('traces', 'list traces'),
  search: listing('search', 'find traces by words and conditions'),
  last: command({
    summary: 'show what the last run did',
    synopsis: 'glasshouse last',
    about: 'The newest trace as a tree, with the failures and their reasons.',
    options: { 'run-id': 'of the program that `glasshouse run` started under this id', service: 'of this service' },
    of: (operands) => (operands.length === 0 ? { report: lastRun, input: {} } : null),
  }),
  show: command({
    summary: 'show a trace as a tree, or the texts of a span',
    synopsis: 'glasshouse show TRACE [SPAN]',
    about: 'A trace as a tree of its spans; with a SPAN, the whole text of one part of it.',
    options: { part: 'of the span: input, output, tools, attributes or logs (output)', offset: 'character of the part to begin at (0)' },
    flags: { 'errors-only': 'of the trace: only failed spans and what is above them' },
    of: ([trace_id, span_id, ...more]) => {
      if (trace_id === undefined || more.length > 0) return null;
      return span_id === undefined ? { report: showTrace, input: { trace_id } } : { report: showSpan, input: { trace_id, span_id } };
    },
  }),
  session: command({
    summary: 'show a session as a conversation',
    synopsis: 'glasshouse session SESSION',
    about: 'What was asked and answered in each turn, oldest first, with failures and costs.',
    options: { offset: 'turn to begin at (0)' },
    of: ([session_id, ...more]) => (session_id === undefined || more.length > 0 ? null : { report: showSession, input: { session_id } }),
  }),
  errors: command({
    summary: 'group the failures',
    synopsis: 'glasshouse errors [WORD OR CONDITION...]',
    about: 'Failures of the same type, message, and tool or model are one line, with how often and when.',
    options: words,
    of: (operands) => ({ report: findErrors, input: { filter: operands.join(' ') } }),
  }),
  compare: command({
    summary: 'show where two traces diverge',
    synopsis: 'glasshouse compare A B',
    about: 'Two traces step by step: the first difference, and those that follow.',
    of: ([a, b, ...more]) => (a === undefined || b === undefined || more.length > 0 ? null : { report: compareTraces, input: { a, b } }),
  }),
  cost: command({
    summary: 'sum up cost, tokens, latency and errors',
    synopsis: 'glasshouse cost [WORD OR CONDITION...]',
    about: 'Totals of a time range, broken down, the most expensive first.',
    options: { ...words, by: 'model, prompt, user, tool, service or tag (model)' },
    of: (operands) => ({ report: costSummary, input: { filter: operands.join(' ') } }),
  }),
} satisfies Record<string, Command>;
