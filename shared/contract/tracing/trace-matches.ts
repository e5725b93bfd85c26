/** Where the words of a search stand in the traces that it found. */
import { z } from 'zod';
import { filterParameter } from '../core/filter-parameter.ts';
import { idList } from '../core/parameters.ts';
import { matchPlaces } from './match-places.ts';
import { semanticKinds } from './semantic-kinds.ts';

/** As many as a screen shows, with room for what is scrolled to next. */
const traceIdsMax = 100;

export const traceMatchesQuery = z.object({ trace_ids: idList(traceIdsMax, 'trace'), filter: filterParameter('traces') });
export type TraceMatchesQuery = z.output<typeof traceMatchesQuery>;

export const traceMatch = z
  .object({
    trace_id: z.string(),
    span_name: z.string(),
    span_kind: z.enum(semanticKinds),
    place: z.enum(matchPlaces).meta({ description: 'The text of the span in which the words are.' }),
    text: z.string().meta({ description: 'The part of that text around the words.' }),
    marks: z
      .array(z.tuple([z.int(), z.int()]))
      .meta({ description: 'Start and end of each of the words in `text`, in UTF-16 code units.' }),
  })
  .meta({ id: 'TraceMatch', description: 'One place in a trace in which the words of a search are: the one with most of them.' });
export type TraceMatch = z.output<typeof traceMatch>;
