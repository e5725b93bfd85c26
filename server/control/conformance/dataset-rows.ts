import { expect } from 'vitest';
import { must } from '../../platform/assert.ts';
import type { Scope } from '../../platform/scope.ts';
import type { ControlStore } from '../control-store.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { anApp, by } from './records.ts';

const textOf = async (control: ControlStore, scope: Scope, dataset: string): Promise<string> =>
  Buffer.concat(await control.datasetRows.lines(scope, dataset)).toString();

export function datasetRowGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('rows appended at once are all there, one after the other, within the limit of bytes', async ({ control, race }) => {
    const scope = await anApp(control);
    const rows = (index: number) => [`{"a":${100 + index}}`, `{"b":${100 + index}}`];
    const bytes = 2 * ('{"a":100}'.length + 1);
    const { values, errors } = await race(({ datasetRows }, index) => datasetRows.append(by, scope, 'd.jsonl', rows(index), 7 * bytes + 1));
    expect(errors).toEqual([]);
    const stored = values.flatMap((before, index) => (before === null ? [] : [{ before, index }]));
    expect(stored.map(({ before }) => before).sort((a, b) => a - b)).toEqual([0, 2, 4, 6, 8, 10, 12]);
    const inOrder = stored.sort((a, b) => a.before - b.before).flatMap(({ index }) => rows(index));
    expect(await textOf(control, scope, 'd.jsonl')).toBe(inOrder.map((line) => `${line}\n`).join(''));
    expect(await control.datasetRows.count(scope, 'd.jsonl')).toBe(14);
  });

  guarantee('rows are added all or none', async ({ control }) => {
    const scope = await anApp(control);
    const add = (lines: string[]) => control.datasetRows.append(by, scope, 'd.jsonl', lines, 10);
    expect([await add(['ä', 'b']), await add(['c', 'd', 'e']), await add(['c', 'd']), await add(['e'])]).toEqual([0, null, 2, null]);
    expect(await textOf(control, scope, 'd.jsonl')).toBe('ä\nb\nc\nd\n');
  });

  guarantee('datasets with rows are listed by name, and long ones read in pieces', async ({ control }) => {
    const scope = await anApp(control);
    for (const dataset of ['b', 'ä', 'B']) await control.datasetRows.append(by, scope, dataset, ['{}'], 1000);
    await control.datasetRows.append(by, scope, 'b', ['{}', '{}'], 1000);
    const listed = await control.datasetRows.list(scope);
    expect(listed.map(({ dataset, row_count }) => [dataset, row_count])).toEqual([
      ['B', 1],
      ['b', 3],
      ['ä', 1],
    ]);
    expect(must(listed[1]?.created_at, 'it has one') < must(listed[0]?.created_at, 'it has one')).toBe(true);
    const long = Array.from({ length: 5 }, (_, row) => `"${row}${'x'.repeat(300_000)}"`);
    await control.datasetRows.append(by, scope, 'long', long, 10_000_000);
    expect((await control.datasetRows.lines(scope, 'long')).length).toBeGreaterThan(1);
    expect(await textOf(control, scope, 'long')).toBe(long.map((line) => `${line}\n`).join(''));
    expect([await control.datasetRows.count(scope, 'none'), await control.datasetRows.lines(scope, 'none')]).toEqual([0, []]);
  });
}
