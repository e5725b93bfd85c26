import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageError } from '../../storage-error.ts';
import { type OpenDatabase, openReader, openWriter } from './open.ts';
import { quarantine } from './quarantine-place.ts';

let folder: string;
let file: string;
const opened: OpenDatabase[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-open-'));
  file = join(folder, 'data', 'telemetry.db');
});

afterEach(() => {
  for (const db of opened.splice(0)) db.close();
  rmSync(folder, { recursive: true, force: true });
});

const keep = (db: OpenDatabase): OpenDatabase => {
  opened.push(db);
  return db;
};

const pragma = (db: OpenDatabase, name: string): unknown => db.pragma(name, { simple: true });
const modeOf = (path: string): number => statSync(path).mode & 0o777;
/** File modes mean nothing on Windows, and root may read every file. */
const onPosix =
  (test: () => void, mayBeRoot = true) =>
  (context: { skip(why: string): void }) => {
    if (process.platform === 'win32') return context.skip('Windows has no file modes');
    if (!mayBeRoot && process.getuid?.() === 0) return context.skip('root may read every file');
    return test();
  };

function errorKindOf(run: () => OpenDatabase): string {
  try {
    keep(run());
  } catch (error) {
    if (error instanceof StorageError) return error.errorKind;
    throw error;
  }
  return 'none';
}

/** A store with some megabytes in it, closed. */
function aStore(): void {
  const db = openWriter(file);
  const insert = db.prepare('INSERT INTO block (received_ms, size, data) VALUES (1, 1, ?)');
  for (let block = 0; block < 50; block++) insert.run(Buffer.alloc(20_000, block));
  db.close();
}

describe('the writer’s connection', () => {
  it('acknowledges only what is on disk: WAL, synchronous FULL, no automatic checkpoints', () => {
    const db = keep(openWriter(file));
    expect(pragma(db, 'journal_mode')).toBe('wal');
    expect(pragma(db, 'synchronous')).toBe(2);
    expect(pragma(db, 'wal_autocheckpoint')).toBe(0);
    expect(pragma(db, 'busy_timeout')).toBe(5000);
    expect(pragma(db, 'trusted_schema')).toBe(0);
    expect(pragma(db, 'page_size')).toBe(4096);
    if (process.platform === 'darwin') expect([pragma(db, 'fullfsync'), pragma(db, 'checkpoint_fullfsync')]).toEqual([1, 1]);
  });

  it('is the same for a store that was opened before', () => {
    aStore();
    const db = keep(openWriter(file));
    expect([pragma(db, 'journal_mode'), pragma(db, 'synchronous')]).toEqual(['wal', 2]);
  });

  it(
    'keeps the folder and all three files from other users',
    onPosix(() => {
      const db = keep(openWriter(file));
      db.exec("INSERT INTO scope (tenant_id, app_id) VALUES ('t', 'a')");
      expect(modeOf(join(folder, 'data'))).toBe(0o700);
      expect(readdirSync(join(folder, 'data')).sort()).toEqual(['telemetry.db', 'telemetry.db-shm', 'telemetry.db-wal']);
      for (const suffix of ['', '-wal', '-shm']) expect(modeOf(file + suffix), suffix).toBe(0o600);
    }),
  );

  it(
    'makes a store that other users could read private',
    onPosix(() => {
      aStore();
      chmodSync(file, 0o644);
      keep(openWriter(file)).exec("INSERT INTO scope (tenant_id, app_id) VALUES ('t', 'a')");
      for (const suffix of ['', '-wal', '-shm']) expect(modeOf(file + suffix), suffix).toBe(0o600);
    }),
  );
});

describe('a reader’s connection', () => {
  it('reads beside the writer and can change nothing', () => {
    keep(openWriter(file)).exec("INSERT INTO scope (tenant_id, app_id) VALUES ('t', 'a')");
    const reader = keep(openReader(file));
    expect(reader.prepare('SELECT tenant_id FROM scope').pluck().get()).toBe('t');
    expect(pragma(reader, 'query_only')).toBe(1);
    for (const change of ['DELETE FROM scope', 'DROP TABLE span', 'CREATE TABLE mine (id)'])
      expect(() => reader.exec(change)).toThrow(/readonly/);
  });

  it('does not create a missing store', () => {
    mkdirSync(join(folder, 'data'));
    expect(errorKindOf(() => openReader(file))).toBe('io');
    expect(existsSync(file)).toBe(false);
  });
});

describe('a file that is not our store', () => {
  const write = (bytes: Buffer | string) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(file, bytes);
    return readFileSync(file);
  };

  it.each([
    ['garbage', Buffer.alloc(50_000, 0x5a)],
    ['a text', 'Dear diary,\n'.repeat(1000)],
    ['garbage after an SQLite header', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5_000, 7)])],
  ])('is called corrupt when it is %s, and no byte changes', (_, bytes) => {
    const before = write(bytes);
    expect(errorKindOf(() => openWriter(file))).toBe('corrupt');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(join(folder, 'data'))).toEqual(['telemetry.db']);
  });

  it.each(['delete', 'wal'])(
    'is called corrupt when it is the database of another program (journal: %s), and no byte changes',
    (journal) => {
      mkdirSync(join(folder, 'data'));
      const other = new Database(file);
      other.pragma(`journal_mode = ${journal}`);
      other.exec('CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1');
      other.close();
      const before = readFileSync(file);
      expect(errorKindOf(() => openWriter(file))).toBe('corrupt');
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  it('becomes a new store when it is empty: nothing can be lost', () => {
    write('');
    expect(errorKindOf(() => openWriter(file))).toBe('none');
  });

  it('is a disk error when it is a folder, and the folder stays', () => {
    mkdirSync(file, { recursive: true });
    writeFileSync(join(file, 'inside'), 'kept');
    expect(errorKindOf(() => openWriter(file))).toBe('io');
    expect(readFileSync(join(file, 'inside'), 'utf8')).toBe('kept');
  });

  it('is a disk error when the data folder is a file', () => {
    writeFileSync(join(folder, 'data'), 'a file');
    expect(errorKindOf(() => openWriter(file))).toBe('io');
  });

  it(
    'is a disk error when it may not be read',
    onPosix(() => {
      aStore();
      chmodSync(file, 0o000);
      expect(errorKindOf(() => openWriter(file))).toBe('io');
    }, false),
  );

  it(
    'may be a link to a store of ours',
    onPosix(() => {
      aStore();
      const link = join(folder, 'linked.db');
      symlinkSync(file, link);
      expect(errorKindOf(() => openWriter(link))).toBe('none');
    }),
  );
});

describe('a truncated store', () => {
  it.each([0.99, 0.5, 0.1])('to %d of its length is called corrupt, and no byte changes', (share) => {
    aStore();
    truncateSync(file, Math.floor(statSync(file).size * share));
    const before = readFileSync(file);
    expect(errorKindOf(() => openWriter(file))).toBe('corrupt');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([15, 99, 100, 512, 4_096, 8_191, 8_192])('to %i bytes is called corrupt, and no byte changes', (bytes) => {
    aStore();
    truncateSync(file, bytes);
    const before = readFileSync(file);
    expect(errorKindOf(() => openWriter(file))).toBe('corrupt');
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('quarantine', () => {
  it('moves database, log and index together and leaves nothing behind', () => {
    mkdirSync(join(folder, 'data'));
    const parts = ['', '-wal', '-shm'];
    for (const suffix of parts) writeFileSync(file + suffix, `bytes of ${suffix}`);
    const place = quarantine(file, new Date('2026-01-15T10:00:00.123Z'));
    expect(readdirSync(join(folder, 'data'))).toEqual(['quarantine']);
    expect(place).toBe(join(folder, 'data', 'quarantine', '2026-01-15T10-00-00.123Z'));
    for (const suffix of parts) expect(readFileSync(join(place, `telemetry.db${suffix}`), 'utf8')).toBe(`bytes of ${suffix}`);
    if (process.platform !== 'win32') expect(modeOf(place)).toBe(0o700);
  });

  it('moves the files that exist', () => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(`${file}-wal`, 'a log alone');
    expect(readdirSync(quarantine(file))).toEqual(['telemetry.db-wal']);
  });

  it('never overwrites another store', () => {
    mkdirSync(join(folder, 'data'));
    const at = new Date('2026-01-15T10:00:00.123Z');
    const places = ['first', 'second', 'third'].map((bytes) => {
      writeFileSync(file, bytes);
      return quarantine(file, at);
    });
    expect(new Set(places).size).toBe(3);
    expect(places.map((place) => readFileSync(join(place, 'telemetry.db'), 'utf8'))).toEqual(['first', 'second', 'third']);
  });

  it('leaves a store that a repair can open in its new place, with all that was acknowledged', () => {
    const db = openWriter(file);
    db.exec("INSERT INTO scope (tenant_id, app_id) VALUES ('only in the log', 'a')");
    const copy = join(folder, 'crashed', 'telemetry.db');
    mkdirSync(join(folder, 'crashed'));
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(file + suffix, copy + suffix);
    db.close();
    const salvaged = keep(openWriter(join(quarantine(copy), 'telemetry.db')));
    expect(salvaged.prepare('SELECT tenant_id FROM scope').pluck().get()).toBe('only in the log');
  });
});
