import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenDatabase, openWriter } from '../file/open.ts';
import { Dictionary } from './dictionary.ts';

let folder: string;
let db: OpenDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-dictionary-'));
  db = openWriter(join(folder, 'telemetry.db'));
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A new dictionary has an empty cache, and looks up everything in the store. */
const fresh = () => new Dictionary(db);

it('the same term has one id within an app, and another id in another app', () => {
  const [ours, theirs] = [fresh().term(1, 'user_id', 'ann'), fresh().term(2, 'user_id', 'ann')];
  expect(theirs).not.toBe(ours);
  expect([fresh().term(1, 'user_id', 'ann'), fresh().term(2, 'user_id', 'ann')]).toEqual([ours, theirs]);
  expect(fresh().term(1, 'session_id', 'ann')).not.toBe(ours);
});

it('the same document has another id in another app', () => {
  const [ours, theirs] = [fresh().document(1, '{"a":1}'), fresh().document(2, '{"a":1}')];
  expect(theirs).not.toBe(ours);
  expect([fresh().document(1, '{"a":1}'), fresh().document(2, '{"a":1}')]).toEqual([ours, theirs]);
});
