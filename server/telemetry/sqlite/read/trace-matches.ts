/** Where the words of a search are in the traces that it found. */
import { matchPlaces } from '../../../../shared/contract/tracing/match-places.ts';
import type { TraceMatch, TraceMatchesQuery } from '../../../../shared/contract/tracing/trace-matches.ts';
import { type SpanPlace, spanPlaceColumns } from '../signatures/span-bytes.ts';
import { type ContentTest, positiveTestsIn } from './content-clauses.ts';
import { noRow } from './lookup.ts';
import { type Excerpt, excerptOf } from './match-excerpt.ts';
import type { ReadContext } from './read-context.ts';
import { BudgetSpent, SearchBudget } from './search-budget.ts';
import { type SearchedTexts, SpanContents } from './span-contents.ts';
import { isVisible, oldestFirst } from './span-wire.ts';

type SpanRow = SpanPlace & { id: number };
type Match = Omit<TraceMatch, 'trace_id'>;

/** A match with the number of different words in it. */
interface Candidate {
  match: Match;
  count: number;
}

export class TraceMatchReads {
  readonly #context: ReadContext;
  readonly #contents: SpanContents;
  readonly #spans;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#contents = new SpanContents(context);
    this.#spans = context.db.prepare<[number], SpanRow>(
      `SELECT span.id, ${spanPlaceColumns} FROM span WHERE span.trace = ? AND ${isVisible} ORDER BY ${oldestFirst}`,
    );
  }

  matches(scope: number, { filter, trace_ids }: TraceMatchesQuery): TraceMatch[] {
    const contents = filter ? this.#context.filters.contents('traces', scope, filter) : null;
    const tests = contents?.clauses.flatMap(positiveTestsIn) ?? [];
    if (tests.length === 0) return [];
    const budget = new SearchBudget(this.#context.limit);
    const matches: TraceMatch[] = [];
    try {
      for (const trace_id of trace_ids) {
        const match = this.#matchIn(this.#context.lookup.trace(scope, trace_id), tests, budget);
        if (match) matches.push({ trace_id, ...match });
      }
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
    }
    return matches;
  }

  /** The first span with most of the words. Names say little: most of them are in the row of the trace. */
  #matchIn(trace: number, tests: readonly ContentTest[], budget: SearchBudget): Match | null {
    if (trace === noRow) return null;
    const needed = tests.flatMap(({ alternatives }) => alternatives);
    let best: Candidate | null = null;
    for (const span of this.#spans.all(trace)) {
      budget.check();
      const texts = this.#contents.textsWith(span, [needed], null);
      if (!texts) continue;
      const found = bestPlace(texts, tests);
      if (found && (best === null || isBetter(found, best))) best = found;
      if (best?.count === tests.length && !isName(best)) break;
    }
    return best?.match ?? null;
  }
}

const isName = ({ match }: Candidate): boolean => match.place === 'name';

const isBetter = (found: Candidate, best: Candidate): boolean =>
  found.count > best.count || (found.count === best.count && isName(best) && !isName(found));

/** The text of a span with most of the words; of several, the one that says most. */
function bestPlace(texts: SearchedTexts, tests: readonly ContentTest[]): Candidate | null {
  const sought = tests.map((test) => test.sought);
  let best: (Excerpt & Pick<Match, 'place'>) | null = null;
  for (const [text, place] of new Map(tests.flatMap((test) => [...test.places(texts)]))) {
    const excerpt = excerptOf(text, sought);
    if (!excerpt) continue;
    const isBetter = best === null || excerpt.count > best.count || (excerpt.count === best.count && rank(place) < rank(best.place));
    if (isBetter) best = { ...excerpt, place };
  }
  if (best === null) return null;
  const { count, place, text, marks } = best;
  return { count, match: { span_name: texts.name, span_kind: texts.kind, place, text, marks } };
}

const rank = (place: Match['place']): number => matchPlaces.indexOf(place);
