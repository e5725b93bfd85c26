/** Tags of some traces. */
import type { TagCount } from '../../../../shared/contract/tracing/trace-tags.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { partsOf } from '../parameter-lists.ts';
import type { TraceRow } from '../stored-rows.ts';
import { ofApp, type ReadContext, readIds } from './read-context.ts';

const tagsOf = `SELECT tags, added_tags FROM trace FINAL WHERE ${ofApp} AND trace_id IN {ids:Array(String)}
  AND hour IN (SELECT hour FROM place FINAL WHERE ${ofApp} AND trace_id IN {ids:Array(String)})`;

/** In the order of their names. */
export async function findTags(context: ReadContext, scope: Scope, ids: readonly string[]): Promise<Encoded<TagCount[]>> {
  const counts = new Map<string, TagCount>();
  const parts = partsOf(readIds(ids)).map((part) => context.inApp<Pick<TraceRow, 'tags' | 'added_tags'>>(scope, tagsOf, { ids: part }));
  for (const { tags, added_tags } of (await Promise.all(parts)).flat()) {
    const added = new Set(added_tags);
    for (const tag of new Set(tags)) {
      const count = counts.get(tag) ?? { tag, traces: 0, added: 0 };
      counts.set(tag, { tag, traces: count.traces + 1, added: count.added + Number(added.has(tag)) });
    }
  }
  return Encoded.of([...counts.values()].sort((a, b) => (a.tag < b.tag ? -1 : 1)));
}
