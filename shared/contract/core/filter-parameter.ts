import { z } from 'zod';
import type { Resource } from '../../filter/fields.ts';
import { FilterError } from '../../filter/filter-error.ts';
import { parseFilterText } from '../../filter/parse-text.ts';
import type { ErrorCode } from './errors.ts';
import { describedAs } from './parameters.ts';

/** Parameters of an issue that sets its own error code, in place of the code of the request part that it occurred in. */
export interface RefusalParams {
  refusal: { code: ErrorCode; extras: Record<string, unknown> };
}

/** The `filter` parameter of a list, parsed to its tree. An empty, blank or repeated one is an error. */
export const filterParameter = (resource: Resource) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((text, context) => {
      try {
        if (typeof text === 'string') return parseFilterText(resource, text);
        throw new FilterError('filter may be given only once; join conditions with and');
      } catch (error) {
        if (!(error instanceof FilterError)) throw error;
        const params: RefusalParams = { refusal: { code: 'invalid_filter', extras: error.extras() } };
        context.addIssue({ code: 'custom', message: error.message, params: { ...params } });
        return z.NEVER;
      }
    })
    .optional()
    .meta(
      describedAs({
        type: 'string',
        description:
          'Words to search for and predicates `field operator value`, for example `timeout "rate limit" tool:web_search (model = gpt-4o or cost > 0.01)`. `and` may be left out and binds closer than `or`. GET /v1/filter-schema lists fields, operators and limits.',
      }),
    );
