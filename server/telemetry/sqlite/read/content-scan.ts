/**
 * Which spans or traces hold predicates about `input`, `output` and `props`. Those texts are in no row: they come out of the
 * sent span, in compressed blocks. So the rest of the filter narrows the rows first, and what is left is read once for all
 * predicates together, in the order in which it was written, which inflates a block once; a trace that needs no more
 * answers is passed over. What tells for a whole block that it cannot hold a word belongs in front of `#contentOf`.
 */
import type { TextPredicate } from '../../../../shared/filter/filter-tree.ts';
import { holdsText } from '../../../../shared/filter/matcher.ts';
import { contentOf } from '../../../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../../ingest/otlp/log-events.ts';
import { type SentSpanRow, sentSpanColumns } from '../sent-span.ts';
import type { Reading } from './reader.ts';

/** SQL text and what it binds. */
export interface Bound {
  text: string;
  values: unknown[];
}

/** Row numbers by predicate. */
export type FoundContent = ReadonlyMap<string, number[]>;

/** Predicates that ask the same are one. */
export const contentKey = ({ field, operator, values }: TextPredicate): string => JSON.stringify([field, operator, values]);

interface CandidateRow extends SentSpanRow {
  owner: number;
}

interface Search {
  predicate: TextPredicate;
  owners: Set<number>;
}

const owners = { traces: 'span.trace', spans: 'span.id' } as const;

export class ContentScan {
  readonly #reading: Pick<Reading, 'db' | 'sentSpans'>;

  constructor(reading: Pick<Reading, 'db' | 'sentSpans'>) {
    this.#reading = reading;
  }

  /** @param candidates a condition on rows of `span`; predicates are positive */
  find(resource: keyof typeof owners, candidates: Bound, predicates: readonly TextPredicate[]): FoundContent {
    const searches = new Map<string, Search>(predicates.map((predicate) => [contentKey(predicate), { predicate, owners: new Set() }]));
    const rows = this.#reading.db.prepare<unknown[], CandidateRow>(
      `SELECT ${owners[resource]} AS owner, ${sentSpanColumns} FROM span WHERE ${candidates.text} ORDER BY span.id`,
    );
    for (const row of rows.iterate(...candidates.values)) {
      const open = [...searches.values()].filter((search) => !search.owners.has(row.owner));
      if (open.length === 0) continue;
      const content = this.#contentOf(row);
      for (const { predicate, owners: found } of open) {
        if (holdsText(predicate, content[predicate.field as 'input' | 'output' | 'props'])) found.add(row.owner);
      }
    }
    return new Map([...searches].map(([key, search]) => [key, [...search.owners]]));
  }

  #contentOf(row: SentSpanRow): ReturnType<typeof contentOf> {
    return contentOf(withLogsAsEvents(this.#reading.sentSpans.read(row).sent));
  }
}
