import { expect, it } from 'vitest';
import type { AgentHistory } from '../../../shared/contract/viewer/agent-history.ts';
import { foundAgents, foundWords, namesOf, progressWords } from './words.ts';

const agent = (of: AgentHistory['agent'], more: Partial<AgentHistory> = {}): AgentHistory => ({
  ...{ agent: of, folder: '/home/ada', sessions: 2, bytes: 1, newest_at: null, is_shown: false, state: 'off' },
  ...{ sessions_read: 1, traces: 3, problem: null, left_out: [] },
  ...more,
});
const [claude, codex, gemini, pi] = [agent('claude-code'), agent('codex'), agent('gemini'), agent('pi')];

it('names the agents that there are', () => {
  expect(namesOf([claude])).toBe('Claude Code');
  expect(namesOf([claude, codex])).toBe('Claude Code and Codex');
  expect(namesOf([claude, codex, gemini, pi])).toBe('Claude Code, Codex, Gemini CLI and pi');
  expect([foundWords([claude]), foundWords([claude, codex])]).toEqual([
    '1 coding agent found on this machine',
    '2 coding agents found on this machine',
  ]);
});

it('leaves out an agent without sessions, unless it was asked for, or its folder cannot be read', () => {
  const none = agent('gemini', { sessions: 0 });
  const shown = agent('gemini', { sessions: 0, is_shown: true });
  const unreadable = agent('gemini', { sessions: 0, problem: 'It cannot be read.' });
  expect(foundAgents([claude, none, shown, unreadable])).toEqual([claude, shown, unreadable]);
});

it('says how far reading is, for all together', () => {
  expect(progressWords([claude, codex])).toBe('2 of 4 sessions read, 6 traces');
});
