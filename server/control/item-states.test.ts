import { expect, it } from 'vitest';
import { afterAssignment, afterReview, isClosed } from './item-states.ts';

it.each([
  // review, completed (including this one), still assigned, required, new status
  ['completed', 1, 0, 1, 'completed'],
  ['completed', 1, 3, 1, 'completed'],
  ['completed', 1, 0, 2, 'in_progress'],
  ['completed', 2, 0, 2, 'completed'],
  ['skipped', 0, 0, 1, 'skipped'],
  ['skipped', 0, 1, 1, 'in_progress'],
  ['skipped', 1, 0, 2, 'skipped'],
  ['skipped', 1, 1, 2, 'in_progress'],
  // Fewer reviews are required than when the item was reviewed.
  ['skipped', 1, 0, 1, 'completed'],
] as const)('a %s review, with %d completed, %d still assigned and %d required: %s', (review, completed, open, required, status) => {
  expect(afterReview(review, { completed, open, left: null, required })).toBe(status);
});

it('an item is completed when none of the people whom its queue names is left', () => {
  const counts = { completed: 1, open: 0, required: 2 };
  expect([1, 0].map((left) => afterReview('completed', { ...counts, left }))).toEqual(['in_progress', 'completed']);
});

it.each([
  ['pending', true, 'in_progress'],
  ['pending', false, 'pending'],
  ['in_progress', true, 'in_progress'],
  ['in_progress', false, 'pending'],
  ['completed', true, 'completed'],
  ['completed', false, 'completed'],
  ['skipped', true, 'skipped'],
  ['skipped', false, 'skipped'],
] as const)('an assignment of an item that is %s, with reviewers %s: %s', (status, hasReviewers, next) => {
  expect(afterAssignment(status, hasReviewers)).toBe(next);
});

it('only completed and skipped items are closed', () => {
  expect((['pending', 'in_progress', 'completed', 'skipped'] as const).filter(isClosed)).toEqual(['completed', 'skipped']);
});
