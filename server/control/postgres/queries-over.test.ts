import { expect, it } from 'vitest';
import { withNumberedPlaceholders } from './queries-over.ts';

it.each([
  ['select "a" from "t" where "b" = ? and "c" = ?', 'select "a" from "t" where "b" = $1 and "c" = $2'],
  ['select "why?" from "t" where "b" = ?', 'select "why?" from "t" where "b" = $1'],
  ['select "a""?" from "t" where "b" = ?', 'select "a""?" from "t" where "b" = $1'],
  [`select 'why?', 'it''s ?', ?`, `select 'why?', 'it''s ?', $1`],
  [`select '"', ?, '"', ?`, `select '"', $1, '"', $2`],
])('%s', (sql, numbered) => {
  expect(withNumberedPlaceholders(sql)).toBe(numbered);
});
