import type { TagCount } from '../../shared/contract/tracing/trace-tags.ts';
import type { Scope } from '../platform/scope.ts';
import type { Encoded } from './encoded.ts';

/** Most tags that people can give to one trace. */
export const addedTagsMax = 100;

export interface TagChange {
  trace_ids: readonly string[];
  add: readonly string[];
  /** Tags that spans were sent with stay. */
  remove: readonly string[];
}

export interface TagOutcome {
  /** Number of traces whose tags are others now. */
  changed: number;
  /** Traces that would have had more than `addedTagsMax`. If there are any, nothing was changed. */
  full: string[];
}

/** Tags that people give to traces. Whatever reads the tags of a trace reads these too. */
export interface TraceTags {
  /**
   * Durable when it resolves. Ids that are not stored are left out.
   * @throws StorageError when nothing was changed
   */
  change(scope: Scope, change: TagChange): Promise<TagOutcome>;
  /** The tags that any of the traces has, in the order of their names. */
  find(scope: Scope, traceIds: readonly string[]): Promise<Encoded<TagCount[]>>;
}
