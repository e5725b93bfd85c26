/** What becomes of spans that can never be stored, with a real store and decoder, of which one request fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DecoderDied, IngestOverload } from '../../ingest/admission.ts';
import { noOverrides } from '../../ingest/cost/own-prices.ts';
import { IngestPipeline } from '../../ingest/pipeline.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { openSqliteTelemetry } from '../../telemetry/sqlite/store.ts';
import { StorageError } from '../../telemetry/storage-error.ts';
import { otlpRequest, resourceSpan } from '../otlp-span.ts';
import { BatchStore } from './batch-store.ts';

const threadEntry = new URL('../../entry/thread.ts', import.meta.url);
const scope = { tenant_id: 'tenant', app_id: 'app' };

let dataDir: string;
let telemetry: Awaited<ReturnType<typeof openSqliteTelemetry>>;
let logged: string[];
let isWanted: boolean;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-batches-'));
  telemetry = await openSqliteTelemetry(dataDir, threadEntry);
  logged = [];
  isWanted = true;
});
afterEach(async () => {
  await telemetry.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Fails for requests with the span called `poison`. */
class Failing extends IngestPipeline {
  stored = 0;
  failures: () => Error = () => new StorageError('mistake', 'a bug');

  override async submit(...given: Parameters<IngestPipeline['submit']>) {
    if (new TextDecoder().decode(given[1].bytes).includes('poison')) throw this.failures();
    const outcome = await super.submit(...given);
    this.stored += outcome.accepted;
    return outcome;
  }
}

const names = ['one', 'two', 'poison', 'four', 'five'];
const body = () =>
  new TextEncoder().encode(
    otlpRequest(
      names.map((name, index) =>
        resourceSpan({
          ...{ traceId: 'a'.repeat(32), spanId: `${index + 1}`.repeat(16), parentSpanId: '', name, startMs: 1, endMs: 2 },
          ...{ resource: {}, attributes: {}, error: null },
        }),
      ),
    ),
  );

async function stored(failures: () => Error) {
  const ingest = new Failing(threadEntry, telemetry.sink, noOverrides);
  ingest.failures = failures;
  const note = (event: string) => void logged.push(event);
  const log = { error: note, warn: note, info: note } as unknown as Log;
  const store = new BatchStore({
    ...{ ingest, scope, clock: systemClock, log, stopping: new AbortController().signal, onProblem: () => {} },
  });
  const notStored = await store.store(body(), () => isWanted);
  await ingest.stop();
  return { ...notStored, stored: ingest.stored };
}

it('one span that cannot be stored is left out, and the rest of its request is stored', async () => {
  expect(await stored(() => new StorageError('mistake', 'a bug'))).toEqual({ stored: 4, refused: 1, conflicts: 0 });
  expect(logged).toEqual(['agent_history_refused']);
});

it('so is one that ends the decoder each time, but not one that the gateway is too busy for', async () => {
  expect(await stored(() => new DecoderDied('It died', 0))).toEqual({ stored: 4, refused: 1, conflicts: 0 });
  let busy = 4;
  const whenBusy = () => (busy-- > 0 ? new IngestOverload('Busy', 0) : new StorageError('corrupt', 'damaged'));
  expect(await stored(whenBusy)).toMatchObject({ refused: 1 });
  expect(busy).toBeLessThan(0);
});

it('what waits to be stored is dropped when it is no longer wanted', async () => {
  const busy = () => {
    isWanted = false;
    return new IngestOverload('Busy', 0);
  };
  expect(await stored(busy)).toEqual({ stored: 0 });
});
