/** A key is shown to its creator once and stored nowhere, and an invalid key is recognised without a lookup. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { isKeyValue, keyStart } from '../platform/key-form.ts';
import { newKeyValue } from './key-value.ts';

const keys = 1000;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const logged: string[] = [];
let cloud: TestCloud;

beforeAll(async () => {
  const note = (...args: unknown[]) => void logged.push(JSON.stringify(args));
  cloud = await startTestCloud({ log: { info: note, error: note } });
});
afterAll(() => cloud.stop());

/** Pseudo-random numbers, the same each time, so that a rare coincidence does not fail a build. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

it('the value of a thousand keys is in no file, no list, no log and no trace', async () => {
  const { owner, app_id } = cloud.tenant;
  const values: string[] = [];
  for (let number = 0; number < keys; number++) {
    const { data } = await owner.apiKeys.create({ body: { name: `key ${number}`, permissions: ['trace.write'] } });
    values.push(data.plaintext_key);
  }
  expect(new Set(values).size).toBe(keys);
  for (const api_key of values.slice(0, 20)) expect((await cloud.ingest({ api_key, app_id }, aRequest([aSpan()]))).status).toBe(200);
  await cloud
    .as(`${values[0]}x`, app_id)
    .traces.list({})
    .catch(() => {});
  await cloud
    .as(null)
    .traces.list({})
    .catch(() => {});

  const listed = JSON.stringify((await owner.apiKeys.list({ query: { limit: 1000 } })).data);
  const traces = JSON.stringify(await owner.traces.list({ query: { limit: 1000 } }));
  const requests = JSON.stringify(await owner.viewer.ingestLog({ query: {} }));
  const files = filesIn(cloud.dataDir).map((file) => readFileSync(file, 'latin1'));
  expect(files.length).toBeGreaterThan(1);
  // The secret part, without the prefix that is shown.
  const secrets = values.map((value) => value.slice(keyStart.length + 4));
  for (const place of [...files, listed, traces, requests, logged.join('\n')]) {
    expect(secrets.filter((secret) => place.includes(secret))).toEqual([]);
  }
  expect(listed).toContain(values[999]?.slice(0, keyStart.length + 4));
});

it('of a million made-up values none is accepted as a key', () => {
  const random = numbers(7);
  const made = () => keyStart + Array.from({ length: 32 }, () => alphabet[(random.next().value >>> 8) % 62]).join('');
  let passed = 0;
  for (let number = 0; number < 1_000_000; number++) if (isKeyValue(made())) passed++;
  expect(passed).toBe(0);
});

it('a mistyped key is refused, wherever the mistake is', () => {
  for (let number = 0; number < 50; number++) {
    const { value } = newKeyValue();
    expect(isKeyValue(value)).toBe(true);
    for (let at = keyStart.length; at < value.length; at++) {
      const other = value[at] === 'a' ? 'b' : 'a';
      expect(isKeyValue(value.slice(0, at) + other + value.slice(at + 1))).toBe(false);
    }
    for (const invalid of [value.slice(1), value.slice(0, -1), `${value}0`, value.toUpperCase(), `${value}\n`, ` ${value}`, ''])
      expect(isKeyValue(invalid)).toBe(false);
  }
});
