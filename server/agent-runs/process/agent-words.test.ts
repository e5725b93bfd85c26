/** What an agent says of itself is taken where it makes sense, and bounded. */
import { expect, it } from 'vitest';
import { type AgentCommand, agentCommand, argumentsOf } from './agent-command.ts';
import { HeardWords } from './agent-words.ts';
import { LineSplitter } from './line-splitter.ts';
import { shownText } from './terminal-text.ts';

const heard = (words: HeardWords, line: string, isShown = true) => words.hear(Buffer.from(line), isShown);

it('a session that could be an option, and a cost that is none, are not heard', () => {
  const words = new HeardWords();
  for (const session_id of ['--dangerously', '', 'a b', '../x', 'x'.repeat(200), 7, null])
    expect([session_id, heard(words, JSON.stringify({ session_id }))]).toEqual([session_id, {}]);
  for (const cost of ['-1', '"1"', 'null', '1e999']) expect(heard(words, `{"cost_usd":${cost}}`)).toEqual({});
  expect(heard(words, '{"session_id":"a-1","total_cost_usd":0.5}')).toEqual({ session: 'a-1', cost_usd: 0.5 });
  expect(words.costUsd).toBe(0.5);
});

it('the result is what the agent says it is, else the last line; never more than can be kept', () => {
  const words = new HeardWords();
  for (const line of ['one', '{"broken"', '  ', '{"type":"other","result":"no"}']) heard(words, line);
  expect([words.result, words.isError]).toEqual(['{"broken"', false]);
  heard(words, JSON.stringify({ type: 'result', result: 'x'.repeat(100_000), is_error: true }));
  expect([words.result?.length, words.isError]).toEqual([20_000, true]);
});

it('of lines that are not shown, those that say something are heard', () => {
  const words = new HeardWords();
  heard(words, '{"type":"text","text":"not a word"}', false);
  expect(words.result).toBeNull();
  expect(heard(words, '{ "session_id": "a-1", "cost_usd": 2 }', false)).toEqual({ session: 'a-1', cost_usd: 2 });
  heard(words, '{"type": "result", "result": "done"}', false);
  expect(words.result).toBe('done');
});

/** What a splitter makes of chunks. */
function linesOf(chunks: readonly string[], way: 'lines' | 'notableLines' = 'lines'): string[] {
  const splitter = new LineSplitter();
  const pieces = [...chunks.map((chunk) => splitter[way](Buffer.from(chunk))), splitter.rest()];
  return pieces.flatMap((lines) => Array.from(lines, shownText));
}

it('a line without an end is bounded, and signs to a terminal are left out', () => {
  const splitter = new LineSplitter();
  for (const [begin, most] of [
    ['x', 64 * 1024],
    ['{', 1024 * 1024],
  ] as const) {
    for (let piece = 0; piece < 40; piece++) [...splitter.lines(Buffer.from(begin + 'x'.repeat(100_000)))];
    expect(Array.from(splitter.lines(Buffer.from('\n')), (line) => line.length)).toEqual([most]);
  }
  const coloured = '\u001b[31mred\u001b[0m \u001b]0;title\u0007tab\there\r\nnul\0\n\nl';
  expect(linesOf([coloured, 'as', 't'])).toEqual(['red tab\there', 'nul', '', 'last']);
});

it('escape sequences without an end take time in proportion to their length', () => {
  const began = ['\u001b[', '\u001b]', '\u001b];', '\u001b(', '\u001b[1;', '\u001b];a'];
  for (const sequence of began) for (let line = 0; line < 50; line++) shownText(Buffer.from(sequence.repeat(65_536 / sequence.length)));
});

it('wherever a chunk ends, the lines that can say something are found among those that are not wanted', () => {
  const text = 'one\n{"a":1}\n\ntwo {\n{"b":2}\n  \nlast\n\n{"c"';
  for (let cut = 0; cut <= text.length; cut++) {
    const found = linesOf([text.slice(0, cut), text.slice(cut)], 'notableLines');
    expect([cut, found.filter((line) => line.startsWith('{'))]).toEqual([cut, ['{"a":1}', '{"b":2}', '{"c"']]);
    expect([cut, found.includes('last')]).toEqual([cut, true]);
  }
});

it('an inner array goes when its value is not there; no value becomes two arguments or a program', () => {
  const command: AgentCommand = ['agent', '-p', ['--resume', '{session}'], ['--model={model}'], '{thread_file}'];
  const none = { prompt_file: 'p', thread_file: 't', workspace: 'w', session: null, model: null };
  expect(argumentsOf(command, none)).toEqual(['agent', '-p', 't']);
  expect(argumentsOf(command, { ...none, session: 's; rm -rf', model: '{session} $(x)' })).toEqual([
    ...['agent', '-p', '--resume', 's; rm -rf', '--model={session} $(x)', 't'],
  ]);
  for (const wrong of [[], 'agent', ['{model}'], [['agent']], ['agent', '{prompt}'], ['agent', []], ['agent', 1]])
    expect(agentCommand.safeParse(wrong).success).toBe(false);
});
