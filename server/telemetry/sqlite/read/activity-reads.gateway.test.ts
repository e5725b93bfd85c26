/** Counting ends when its time is spent: what was counted is the newest, and the answer says since when. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Activity } from '../../../../shared/contract/viewer/activity.ts';
import { activityQuery } from '../../../../shared/contract/viewer/activity.ts';
import { aChat, testEpochMs } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { type OpenDatabase, openReader, openWriter } from '../file/open.ts';
import { Writer } from '../write/writer.ts';
import { createReader } from './reader.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
const count = 1200;
let folder: string;
let db: OpenDatabase;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-activity-'));
  const file = join(folder, 'telemetry.db');
  const writer = new Writer(openWriter(file), createPricing());
  writer.write([{ scope, batch: batchOf(Array.from({ length: count }, (_, at) => aChat({ startMs: testEpochMs + at }))) }]);
  writer.close();
  db = openReader(file);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @param cpuMs processor time that each look at the clock after the first finds spent */
function activityWith(cpuMs: number): Activity {
  const clock = vi.spyOn(process, 'threadCpuUsage').mockImplementation((before) => ({ user: before ? cpuMs * 1000 : 0, system: 0 }));
  const read = createReader(db, 60_000);
  const query = activityQuery.parse({ from: testEpochMs, to: testEpochMs + 60_000 });
  const answer = read('statistics.activity', [scope, query]);
  clock.mockRestore();
  return answer;
}

it('in time, all traces are counted', () => {
  expect(activityWith(0)).toMatchObject({ totals: { traces: count }, is_whole: true, counted_from: testEpochMs });
});

it('out of time, the newest are', () => {
  const { totals, is_whole, counted_from, traces } = activityWith(60_000);
  expect(is_whole).toBe(false);
  expect(totals.traces).toBeGreaterThan(0);
  expect(totals.traces).toBeLessThan(count);
  expect(counted_from).toBe(testEpochMs + count - totals.traces);
  expect(traces).toBeNull();
});
