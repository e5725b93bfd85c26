import { expect, test } from 'vitest';
import type { Budget } from '../../shared/contract/viewer/budgets.ts';
import { BudgetNotices, budgetLines } from './budget-notices.ts';
import type { Notice } from './notices.ts';

const budget = (parts: Partial<Budget> = {}): Budget => ({
  ...{ period: 'day', max: 20, folder: null, from: '2026-11-29T00:00:00.000Z', to: '2026-11-30T00:00:00.000Z' },
  ...{ spent: 24.1, calls: 9, unpriced_calls: 0, state: 'over', ...parts },
});

function setUp(budgets: Budget[]) {
  const notified: Notice[] = [];
  const state = { budgets, isEnabled: true };
  const notices = new BudgetNotices({
    read: async () => state.budgets,
    isEnabled: () => state.isEnabled,
    notify: (notice) => notified.push(notice),
    onRead: () => {},
  });
  return { notices, notified, state };
}

test('a budget is reported once when it is exceeded, and again when it has started again and is exceeded', async () => {
  const { notices, notified, state } = setUp([budget({ state: 'near' })]);
  await notices.read();
  state.budgets = [budget(), budget({ period: 'week', state: 'near', max: 30 })];
  for (let times = 0; times < 3; times++) await notices.read();
  expect(notified).toEqual([
    { title: 'Over budget', body: '$24.10 spent today, more than the budget of $20.00.', traceId: null, route: '#/spending' },
  ]);
  state.budgets = [budget({ from: '2026-11-30T00:00:00.000Z' })];
  await notices.read();
  expect(notified).toHaveLength(2);
});

test('the last seven days move on, and are reported again only after they were within the budget', async () => {
  const { notices, notified, state } = setUp([]);
  await notices.read();
  for (const [day, spent] of [
    ['20', 'over'],
    ['21', 'over'],
    ['22', 'within'],
    ['23', 'over'],
  ] as const) {
    state.budgets = [budget({ period: 'week', to: null, from: `2026-11-${day}T00:00:00.000Z`, state: spent })];
    await notices.read();
  }
  expect(notified).toHaveLength(2);
});

test('what is exceeded when the app starts is not reported', async () => {
  const { notices, notified } = setUp([budget()]);
  await notices.read();
  await notices.read();
  expect(notified).toEqual([]);
});

test('nothing is reported while the notices are off; names lose what is not text', async () => {
  const { notices, notified, state } = setUp([]);
  await notices.read();
  state.budgets = [budget({ folder: '/home/a\u202egnp\n' })];
  state.isEnabled = false;
  await notices.read();
  expect(notified).toEqual([]);
  state.isEnabled = true;
  await notices.read();
  expect(notified.map(({ body }) => body)).toEqual(['$24.10 spent today in /home/a gnp , more than the budget of $20.00.']);
  expect(budgetLines(Array.from({ length: 5 }, () => budget()))).toHaveLength(3);
});
