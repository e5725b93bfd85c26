/** What an agent reports about itself is validated and bounded. */
import { expect, it } from 'vitest';
import { type AgentCommand, agentCommand, argumentsOf } from './agent-command.ts';
import { AgentReportReader } from './agent-report.ts';
import { LineSplitter } from './line-splitter.ts';
import { shownText } from './terminal-text.ts';

const read = (report: AgentReportReader, line: string, isShown = true) => report.read(Buffer.from(line), isShown);

it('a session id that could be taken for an option, and an invalid cost, are ignored', () => {
  const report = new AgentReportReader();
  for (const session_id of ['--dangerously', '', 'a b', '../x', 'x'.repeat(200), 7, null])
    expect([session_id, read(report, JSON.stringify({ session_id }))]).toEqual([session_id, {}]);
  for (const cost of ['-1', '"1"', 'null', '1e999']) expect(read(report, `{"cost_usd":${cost}}`)).toEqual({});
  expect(read(report, '{"session_id":"a-1","total_cost_usd":0.5}')).toEqual({ session: 'a-1', cost_usd: 0.5 });
  expect(report.costUsd).toBe(0.5);
});

it('the result is the reported one, else the last line, and is limited in length', () => {
  const report = new AgentReportReader();
  for (const line of ['one', '{"broken"', '  ', '{"type":"other","result":"no"}']) read(report, line);
  expect([report.result, report.isError]).toEqual(['{"broken"', false]);
  read(report, JSON.stringify({ type: 'result', result: 'x'.repeat(100_000), is_error: true }));
  expect([report.result?.length, report.isError]).toEqual([20_000, true]);
});

it('lines that are not stored are still read for reported values', () => {
  const report = new AgentReportReader();
  read(report, '{"type":"text","text":"not a word"}', false);
  expect(report.result).toBeNull();
  expect(read(report, '{ "session_id": "a-1", "cost_usd": 2 }', false)).toEqual({ session: 'a-1', cost_usd: 2 });
  read(report, '{"type": "result", "result": "done"}', false);
  expect(report.result).toBe('done');
});

/** Splits chunks into lines. */
function linesOf(chunks: readonly string[], method: 'lines' | 'notableLines' = 'lines'): string[] {
  const splitter = new LineSplitter();
  const pieces = [...chunks.map((chunk) => splitter[method](Buffer.from(chunk))), splitter.rest()];
  return pieces.flatMap((lines) => Array.from(lines, shownText));
}

it('a line without an end is bounded, and escape sequences are removed', () => {
  const splitter = new LineSplitter();
  for (const [first, bytesMax] of [
    ['x', 64 * 1024],
    ['{', 1024 * 1024],
  ] as const) {
    for (let piece = 0; piece < 40; piece++) [...splitter.lines(Buffer.from(first + 'x'.repeat(100_000)))];
    expect(Array.from(splitter.lines(Buffer.from('\n')), (line) => line.length)).toEqual([bytesMax]);
  }
  const coloured = '\u001b[31mred\u001b[0m \u001b]0;title\u0007tab\there\r\nnul\0\n\nl';
  expect(linesOf([coloured, 'as', 't'])).toEqual(['red tab\there', 'nul', '', 'last']);
});

it('escape sequences without an end take time in proportion to their length', () => {
  const unterminated = ['\u001b[', '\u001b]', '\u001b];', '\u001b(', '\u001b[1;', '\u001b];a'];
  for (const sequence of unterminated)
    for (let line = 0; line < 50; line++) shownText(Buffer.from(sequence.repeat(65_536 / sequence.length)));
});

it('wherever a chunk ends, lines that may hold reported values are found among unwanted ones', () => {
  const text = 'one\n{"a":1}\n\ntwo {\n{"b":2}\n  \nlast\n\n{"c"';
  for (let cut = 0; cut <= text.length; cut++) {
    const found = linesOf([text.slice(0, cut), text.slice(cut)], 'notableLines');
    expect([cut, found.filter((line) => line.startsWith('{'))]).toEqual([cut, ['{"a":1}', '{"b":2}', '{"c"']]);
    expect([cut, found.includes('last')]).toEqual([cut, true]);
  }
});

it('an inner array is omitted when its value is missing, and no value becomes two arguments or a program', () => {
  const command: AgentCommand = ['agent', '-p', ['--resume', '{session}'], ['--model={model}'], '{thread_file}'];
  const none = { prompt_file: 'p', thread_file: 't', workspace: 'w', session: null, model: null };
  expect(argumentsOf(command, none)).toEqual(['agent', '-p', 't']);
  expect(argumentsOf(command, { ...none, session: 's; rm -rf', model: '{session} $(x)' })).toEqual([
    ...['agent', '-p', '--resume', 's; rm -rf', '--model={session} $(x)', 't'],
  ]);
  for (const invalid of [[], 'agent', ['{model}'], [['agent']], ['agent', '{prompt}'], ['agent', []], ['agent', 1]])
    expect(agentCommand.safeParse(invalid).success).toBe(false);
});
