import { describe, expect, it } from 'vitest';
import type { Spending, SpendingSums } from '../../../shared/contract/viewer/spending.ts';
import { costsOf, dayOf, edgesOf } from './days.ts';
import { folderName, savings, unpriced, verdict } from './words.ts';

const sums = (cost: number, unpriced_calls = 0): SpendingSums => ({
  ...{ cost, calls: 4, unpriced_calls, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, cache_savings: 0 },
});
const spending = (parts: Partial<Spending>): Spending => ({
  ...{ from: '', to: '', time_zone: 'UTC', total: sums(10), projects: [], days: [], models: [], agents: [] },
  ...{ left_out: 0, windows: [], prompts: [], ...parts },
});

describe('the sentence', () => {
  it('names the most expensive project, else agent, where there are several', () => {
    const projects = [
      { folder: '/home/ada/ferries/', ...sums(7.5) },
      { folder: null, ...sums(2.5) },
    ];
    expect(verdict(spending({ projects }), '30d')).toBe('$10.00 in the last 30 days, 75 % of it in ferries.');
    const agents = [
      { agent: 'codex', ...sums(6) },
      { agent: 'claude-code', ...sums(4) },
    ];
    expect(verdict(spending({ projects: projects.slice(0, 1), agents }), '7d')).toBe('$10.00 in the last 7 days, 60 % of it by codex.');
    expect(verdict(spending({ agents: agents.slice(0, 1) }), '90d')).toBe('$10.00 in the last 90 days.');
    expect(verdict(spending({ total: sums(0), projects }), '90d')).toBe('$0 in the last 90 days.');
  });

  it('says what has no price, and when a cache cost more than it saved', () => {
    expect(unpriced(sums(1))).toBe('');
    expect(unpriced(sums(1, 1))).toBe('1 call of 4 used models without a known price. They are not in the cost.');
    expect([savings(2), savings(-0.5)]).toEqual(['$2.00', '−$0.500']);
    expect([folderName('C:\\work\\ferries'), folderName('/'), folderName(null)]).toEqual(['ferries', '/', 'not recorded']);
  });
});

it('days are those of the clock, with 0 where nothing was spent', () => {
  const edges = edgesOf(3, new Date(2026, 2, 30, 12));
  expect(edges.map(dayOf)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
  expect(costsOf(edges, [{ day: '2026-03-29', ...sums(4) }])).toEqual([0, 4, 0]);
});
