import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { inspectStore } from '../entry/inspect-store.ts';
import { startTestGateway } from '../fixtures/test-gateway.ts';
import { damageFile, noteDamage } from '../telemetry/sqlite/file/damage-record.ts';
import { lockFolder } from '../telemetry/sqlite/file/folder-lock.ts';
import { telemetryFile } from '../telemetry/sqlite/store.ts';
import { repairChecks, storeChecks } from './doctor-store.ts';

let dataDir: string;

/** Traces in sessions, with tags, costs, errors and root spans that arrive late. */
async function aStore(): Promise<string> {
  const { gateway, ingest, dataDir: folder } = await startTestGateway();
  for (let at = 0; at < 12; at++) {
    const traceId = at.toString(16).padStart(32, 'a');
    const attributes = {
      'session.id': `s${at % 3}`,
      'user.id': 'u',
      'agentmark.tags': JSON.stringify([`tag ${at % 4}`]),
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 100 + at,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.request.input': 'hello',
    };
    const root = at.toString(16).padStart(16, 'b');
    const spans = [1, 2, 3].map((position) =>
      aSpan({
        traceId,
        parentSpanId: root,
        name: `chat ${position}`,
        status: at % 5 === 0 ? 'ERROR' : 'OK',
        durationMs: 10 * position,
        attributes,
      }),
    );
    await ingest(aRequest(spans));
    await ingest(
      aRequest([aSpan({ traceId, spanId: root, name: `run ${at}`, durationMs: 900, attributes: { 'session.id': `s${at % 3}` } })]),
    );
  }
  await gateway.stop();
  return folder;
}

function change(...statements: string[]): void {
  const db = new Database(telemetryFile(dataDir)).unsafeMode();
  for (const statement of statements) db.exec(statement);
  db.close();
}

const findingsOf = (name: string) =>
  storeChecks(dataDir, false)
    .filter(({ check }) => check === name)
    .map(({ level, message }) => `${level}: ${message}`);

beforeEach(async () => {
  dataDir = await aStore();
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('doctor on the roll-ups of a store', () => {
  it('finds nothing wrong in a sound one, and repairs nothing', async () => {
    const before = readFileSync(telemetryFile(dataDir));
    expect(findingsOf('roll-ups')).toEqual(['ok: Traces, sessions and apps match their spans']);
    expect(readFileSync(telemetryFile(dataDir))).toEqual(before);
    expect(await repairChecks(dataDir)).toEqual([{ level: 'ok', check: 'repair', message: 'All roll-ups were correct' }]);
  });

  it('names what differs, repairs it, and then finds nothing wrong', async () => {
    const sound = contents();
    change(
      'UPDATE trace SET span_count = span_count - 1, tokens = 1, cost = cost + 1 WHERE id = 3',
      "UPDATE trace SET tags = '[bro', latency_ns = 5 WHERE id = 4",
      'UPDATE trace SET status = 0, end_us = 0, session = 0, input_span = 0 WHERE id = 6',
      'UPDATE session SET trace_count = 99, cost = 1e6 WHERE id = (SELECT min(id) FROM session)',
      'UPDATE scope SET span_count = 1',
    );
    const wrong = findingsOf('roll-ups');
    // Sessions and apps are compared with the rows of their traces, so they are wrong until those are right.
    const of = (word: string) => wrong.filter((line) => line.startsWith(`problem: The ${word} `));
    expect([of('trace').length, of('session').length >= 1, of('app').length]).toEqual([3, true, 1]);
    expect(wrong[0]).toMatch(/problem: The trace a+2 is wrong: cost should be \S+, tokens should be \d+, span_count should be 4/);
    expect(wrong[1]).toMatch(/latency_ns should be 900000000, tags should be \["tag 3"\]/);
    expect(of('session').join()).toMatch(/The session s\d is wrong: [^;]*trace_count should be \d/);
    expect(of('app')[0]).toMatch(/The app \S+ is wrong: span_count should be 47/);
    expect((await repairChecks(dataDir))[0]).toEqual({ level: 'ok', check: 'repair', message: '5 roll-up rows were corrected' });
    expect(findingsOf('roll-ups')).toEqual(['ok: Traces, sessions and apps match their spans']);
    expect(contents()).toEqual(sound);
  });

  it('leaves a store alone that a gateway uses', async () => {
    const held = await lockFolder(dataDir, 'a gateway of the test');
    change('UPDATE trace SET tokens = 1 WHERE id = 3');
    const [finding] = await repairChecks(dataDir);
    expect([finding?.level, finding?.message]).toEqual(['problem', expect.stringMatching(/in use by a gateway of the test \(process \d+/)]);
    expect(findingsOf('roll-ups')[0]).toMatch(/tokens should be/);
    held.release();
  });

  it('computes sessions from traces that it has just repaired', async () => {
    const sound = contents();
    change('UPDATE trace SET tokens = 1', 'UPDATE session SET tokens = 1');
    await repairChecks(dataDir);
    expect(contents()).toEqual(sound);
  });

  it('rebuilds an index that does not agree with its table', async () => {
    change(
      'PRAGMA writable_schema = ON',
      "UPDATE sqlite_schema SET sql = replace(sql, 'start_us', 'duration_ns') WHERE name = 'span_started'",
    );
    // Under another definition the entries are wrong.
    const found = inspectStore(dataDir, false).damage;
    expect(found).toMatch(/span_started|index/);
    expect((await repairChecks(dataDir)).map(({ message }) => message)).toContain('The indexes were rebuilt');
    expect(inspectStore(dataDir, false).damage).toBeNull();
  });
});

describe('doctor on a store that was damaged', () => {
  it('reports what was noted, and clears the note once nothing is wrong', async () => {
    noteDamage(dataDir, { kind: 'trace', id: '7', why: 'a test said so' });
    expect(findingsOf('damage')[0]).toMatch(/warning: Damage found since .*1 of trace; the latest: a test said so/);
    expect((await repairChecks(dataDir)).map(({ message }) => message)).toContain('The store is sound again: the damage note was cleared');
    expect([existsSync(damageFile(dataDir)), findingsOf('damage')]).toEqual([false, []]);
  });

  it('finds contents that cannot be read, and keeps the note', async () => {
    change('UPDATE block SET data = cast(zeroblob(20) AS BLOB) WHERE id = (SELECT max(id) FROM block)');
    noteDamage(dataDir, { kind: 'span', id: '7', why: 'a test said so' });
    expect(findingsOf('store')).toContainEqual(expect.stringMatching(/problem: The contents of 1 blocks of spans cannot be read/));
    expect((await repairChecks(dataDir)).some(({ level }) => level === 'problem')).toBe(true);
    expect(existsSync(damageFile(dataDir))).toBe(true);
  });

  it('finds a log that is damaged, and changes nothing', () => {
    const file = telemetryFile(dataDir);
    const db = new Database(file);
    db.pragma('wal_autocheckpoint = 0');
    for (let at = 0; at < 20; at++) db.exec(`UPDATE trace SET tokens = tokens + 1 WHERE id = ${(at % 12) + 1}`);
    const log = readFileSync(`${file}-wal`);
    db.close();
    const opened = openSync(`${file}-wal`, 'w');
    writeSync(opened, log);
    writeSync(opened, Buffer.alloc(64, 7), 0, 64, 32 + 24 + 8192 + 24 + 500);
    closeSync(opened);
    expect(findingsOf('log')[0]).toMatch(
      /problem: The write-ahead log of telemetry\.db is damaged: \d+ commits behind the damage cannot be reached/,
    );
    expect(statSync(`${file}-wal`).size).toBe(log.length);
    expect(existsSync(join(dataDir, 'quarantine'))).toBe(false);
  });
});

/** All roll-up rows. */
function contents(): unknown[] {
  const db = new Database(telemetryFile(dataDir), { readonly: true });
  const all = ['trace', 'session', 'scope'].map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY id`).all());
  db.close();
  return all;
}
