/** What an agent says of itself is taken where it makes sense, and bounded. */
import { expect, it } from 'vitest';
import { type AgentCommand, agentCommand, argumentsOf } from './agent-command.ts';
import { HeardWords } from './agent-words.ts';
import { LineSplitter } from './line-splitter.ts';

it('a session that could be an option, and a cost that is none, are not heard', () => {
  const words = new HeardWords();
  for (const session_id of ['--dangerously', '', 'a b', '../x', 'x'.repeat(200), 7, null])
    expect([session_id, words.hear(JSON.stringify({ session_id }))]).toEqual([session_id, {}]);
  for (const cost of ['-1', '"1"', 'null', '1e999']) expect(words.hear(`{"cost_usd":${cost}}`)).toEqual({});
  expect(words.hear('{"session_id":"a-1","total_cost_usd":0.5}')).toEqual({ session: 'a-1', cost_usd: 0.5 });
  expect(words.costUsd).toBe(0.5);
});

it('the result is what the agent says it is, else the last line; never more than can be kept', () => {
  const words = new HeardWords();
  for (const line of ['one', '{"broken"', '  ', '{"type":"other","result":"no"}']) words.hear(line);
  expect([words.result, words.isError]).toEqual(['{"broken"', false]);
  words.hear(JSON.stringify({ type: 'result', result: 'x'.repeat(100_000), is_error: true }));
  expect([words.result?.length, words.isError]).toEqual([20_000, true]);
});

it('a line without an end is bounded, and signs to a terminal are left out', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (let piece = 0; piece < 40; piece++) splitter.take('x'.repeat(100_000));
  splitter.take('\n\u001b[31mred\u001b[0m\r\nnul\0\n\nlast');
  splitter.end();
  expect(lines.map((line) => line.length).slice(0, 1)).toEqual([1024 * 1024]);
  expect(lines.slice(1)).toEqual(['red', 'nul', '', 'last']);
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
