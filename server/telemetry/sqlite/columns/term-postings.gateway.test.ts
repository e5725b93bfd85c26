import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Damage } from '../../damage.ts';
import { DamageReporter } from '../file/damaged.ts';
import { openWriter } from '../file/open.ts';
import { eachBit } from './bitmap.ts';
import { postingChecksum } from './checksums.ts';
import { traceResource, version } from './stored-columns.ts';
import { PostingBuilder, TermPostings } from './term-postings.ts';

it('traces of a common term are read as bits; when a bit has changed, they are looked up, and it is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-postings-'));
  const db = openWriter(join(folder, 'telemetry.db'));
  try {
    const term = 7;
    const traces = Array.from({ length: 100 }, (_, at) => at * 40);
    db.prepare(`INSERT INTO term (id, scope, key, value) VALUES (?, 1, 'tag', 'a')`).run(term);
    for (const trace of traces) db.prepare('INSERT INTO trace_term (term, trace) VALUES (?, ?)').run(term, trace);
    db.prepare('INSERT INTO column_segment (resource, segment, version) VALUES (?, 0, ?)').run(traceResource.number, version);
    const building = new PostingBuilder(db).build(0, new Float64Array(traceResource.rows).fill(1));
    let built = building.next();
    while (!built.done) built = building.next();
    const bits = new Uint8Array((built.value.get(term) as Uint32Array).buffer);
    const insert = db.prepare('INSERT OR REPLACE INTO column_posting (term, segment, traces, checksum) VALUES (?, 0, ?, ?)');
    const read = (): { found: number[]; reported: Damage[] } => {
      const reported: Damage[] = [];
      const postings = new TermPostings(db, new DamageReporter((damage) => reported.push(damage)));
      const found: number[] = [];
      eachBit(postings.inSegment(term, 0), (trace) => found.push(trace));
      return { found, reported };
    };
    insert.run(term, bits, postingChecksum(term, 0, bits));
    db.exec('DELETE FROM trace_term');
    expect(read()).toEqual({ found: traces, reported: [] });

    for (const trace of traces) db.prepare('INSERT INTO trace_term (term, trace) VALUES (?, ?)').run(term, trace);
    const changed = Uint8Array.from(bits, (byte, at) => (at === 100 ? byte ^ 1 : byte));
    insert.run(term, changed, postingChecksum(term, 0, bits));
    const { found, reported } = read();
    expect(found).toEqual(traces);
    expect(reported).toHaveLength(1);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
