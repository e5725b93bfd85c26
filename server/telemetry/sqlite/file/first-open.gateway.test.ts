import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDamage } from './damage-record.ts';
import { openFirst } from './first-open.ts';
import { inspectLog } from './log-check.ts';

const frameBytes = 24 + 4096;
const commits = 40;
/** Rows are long enough for every commit to fill pages of its own. */
const program = (file: string, steps: string) => `
  import { openWriter } from ${JSON.stringify(new URL('./open.ts', import.meta.url).href)};
  const db = openWriter(${JSON.stringify(file)}, { applicationId: 0x474c5445, migrations: ['CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT) STRICT'] });
  const add = (count) => { for (let i = 0; i < count; i++) db.prepare('INSERT INTO row (text) VALUES (?)').run('x'.repeat(5000)); };
  ${steps}
  process.kill(process.pid, 'SIGKILL');
`;
const schema = { applicationId: 0x474c5445, migrations: ['CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT) STRICT'] };

/** Created once: a store whose writer was killed, one with the larger pages of earlier versions, and one whose log was restarted over an older one. */
let templates: string;
let folder: string;
let file: string;

function makeKilled(name: string, steps: string): void {
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program(join(templates, name), steps)]);
  expect(signal, stderr.toString()).toBe('SIGKILL');
}

beforeAll(() => {
  templates = mkdtempSync(join(tmpdir(), 'glasshouse-killed-'));
  makeKilled('plain.db', `add(${commits});`);
  makeKilled('wide.db', 'add(1);');
  const wide = new Database(join(templates, 'wide.db'));
  for (const pragma of ['journal_mode = DELETE', 'page_size = 8192']) wide.pragma(pragma);
  wide.exec('VACUUM');
  wide.close();
  makeKilled('wide.db', `add(${commits});`);
  makeKilled('again.db', `add(${commits}); db.pragma('wal_checkpoint(RESTART)'); add(5);`);
});

afterAll(() => rmSync(templates, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-first-open-'));
  file = join(folder, 'telemetry.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function copyTemplate(name: string): void {
  for (const part of ['', '-wal']) cpSync(join(templates, name + part), file + part);
}

/** Inverts bytes, so that each of them changes. */
function overwrite(path: string, at: number, count: number): void {
  const inverted = readFileSync(path)
    .subarray(at, at + count)
    .map((byte) => byte ^ 0xff);
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, inverted, 0, count, at);
  closeSync(descriptor);
}

const framesIn = (log: string): number => (statSync(log).size - 32) / frameBytes;

function openAndCount(): number {
  const { db } = openFirst(file, schema);
  const count = Number(db.prepare('SELECT count(*) FROM row').pluck().get());
  db.close();
  return count;
}

const quarantined = (): string[] => (existsSync(join(folder, 'quarantine')) ? readdirSync(join(folder, 'quarantine')) : []);

describe('a store whose writer was killed', () => {
  it('has all that was committed, and reports no damage', () => {
    copyTemplate('plain.db');
    expect(inspectLog(`${file}-wal`)).toBeNull();
    expect(openAndCount()).toBe(commits);
    expect([quarantined(), readDamage(folder)]).toEqual([[], null]);
  });

  it('reports once that its log was not closed', () => {
    copyTemplate('plain.db');
    const first = openFirst(file, schema);
    first.db.pragma('wal_checkpoint(TRUNCATE)');
    first.db.close();
    const second = openFirst(file, schema);
    second.db.close();
    expect([first.isUnclean, second.isUnclean]).toEqual([true, false]);
  });

  it('reports no damage for a tail torn by a power cut, wherever it is cut and whatever the last frame holds', () => {
    copyTemplate('plain.db');
    const { size } = statSync(`${file}-wal`);
    for (const less of [1, 100, frameBytes - 24, frameBytes, frameBytes + 1]) {
      copyTemplate('plain.db');
      truncateSync(`${file}-wal`, size - less);
      expect(inspectLog(`${file}-wal`), `${less} bytes less`).toBeNull();
    }
    copyTemplate('plain.db');
    overwrite(`${file}-wal`, size - 4096, 512);
    expect(inspectLog(`${file}-wal`)).toBeNull();
    expect(openAndCount()).toBe(commits - 1);
    expect(quarantined()).toEqual([]);
  });

  it('does not count frames of an earlier use of its log as lost', () => {
    copyTemplate('again.db');
    expect(framesIn(`${file}-wal`)).toBeGreaterThan(commits);
    expect(inspectLog(`${file}-wal`)).toBeNull();
    expect(openAndCount()).toBe(commits + 5);
  });
});

describe('a log that is damaged', () => {
  it('is kept unchanged with its database and reported, and commits before the damage are restored', () => {
    copyTemplate('plain.db');
    const frames = framesIn(`${file}-wal`);
    overwrite(`${file}-wal`, 32 + Math.floor(frames / 2) * frameBytes + 1000, 64);
    const before = ['', '-wal'].map((part) => readFileSync(file + part));
    const damage = inspectLog(`${file}-wal`);
    const count = openAndCount();
    const [name = ''] = quarantined();
    expect(['', '-wal'].map((part) => readFileSync(join(folder, 'quarantine', name, `telemetry.db${part}`)))).toEqual(before);
    expect(count).toBeLessThan(commits);
    // One commit created the table.
    expect([damage?.commitsKept, damage?.commitsCut]).toEqual([count + 1, commits - count]);
    expect(readDamage(folder)).toMatchObject({ counts: { log: 1 }, kept: [join(folder, 'quarantine', name)] });
    expect(readFileSync(join(folder, 'quarantine', name, 'reason.txt'), 'utf8')).toContain(
      `${damage?.commitsCut} commits behind the damage`,
    );
  });

  it('is kept once: the next start finds an undamaged log', () => {
    copyTemplate('plain.db');
    overwrite(`${file}-wal`, 32 + 10 * frameBytes + 1000, 64);
    const first = openFirst(file, schema);
    // Killed again before anything is written.
    for (const part of ['', '-wal']) cpSync(file + part, join(folder, `copy.db${part}`));
    first.db.close();
    for (const part of ['', '-wal']) if (existsSync(join(folder, `copy.db${part}`))) cpSync(join(folder, `copy.db${part}`), file + part);
    openAndCount();
    expect(quarantined()).toHaveLength(1);
  });

  it('is found wherever bytes are flipped, and SQLite recovers exactly the commits reported as kept', () => {
    copyTemplate('plain.db');
    const frames = framesIn(`${file}-wal`);
    for (let frame = 0; frame < frames - 3; frame += 7) {
      for (const at of [1, 5, 9, 18, 24, 4000]) {
        rmSync(join(folder, 'quarantine'), { recursive: true, force: true });
        copyTemplate('plain.db');
        rmSync(`${file}-shm`, { force: true });
        overwrite(`${file}-wal`, 32 + frame * frameBytes + at, 1);
        const found = inspectLog(`${file}-wal`);
        expect(found, `frame ${frame}, byte ${at}`).not.toBeNull();
        const db = new Database(file);
        const tables = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'row'").pluck().get();
        const rows = tables === 0 ? -1 : Number(db.prepare('SELECT count(*) FROM row').pluck().get());
        db.close();
        if (rows >= 0) expect(found?.commitsKept, `frame ${frame}, byte ${at}`).toBe(rows + 1);
      }
    }
  });

  it.each(['plain.db', 'wide.db'])('is found when its header is damaged, which makes SQLite ignore the whole log: %s', (template) => {
    for (const at of [0, 5, 9, 17, 25]) {
      copyTemplate(template);
      overwrite(`${file}-wal`, at, 1);
      expect(inspectLog(`${file}-wal`), `byte ${at}`).toMatchObject({ commitsKept: 0 });
    }
  });

  it('counts no commits of an earlier use of its file', () => {
    copyTemplate('again.db');
    overwrite(`${file}-wal`, 32 + 1000, 64);
    const found = inspectLog(`${file}-wal`);
    expect([found?.commitsKept, found?.commitsCut]).toEqual([0, 5]);
  });
});

describe('a definition of a table that is damaged', () => {
  it('is refused as damage when a column has another name', () => {
    makeKilled('renamed.db', `add(1); db.pragma('wal_checkpoint(TRUNCATE)'); db.prepare('UPDATE row SET text = ?').run('y'.repeat(5000));`);
    copyTemplate('renamed.db');
    const name = Buffer.from('text TEXT');
    const at = readFileSync(file).indexOf(name);
    overwrite(file, at, 1);
    expect(() => openFirst(file, schema)).toThrow('The store has no column row.text: the definition of a table is damaged');
  });
});
