import { z } from 'zod';
import type { Resource } from '../../filter/fields.ts';
import { FilterError } from '../../filter/filter-error.ts';
import { parseFilterText } from '../../filter/parse-text.ts';
import type { ErrorCode } from './errors.ts';
import { describedAs } from './parameters.ts';

/** An issue whose schema says which code the refusal has, instead of that of the part of the request it stands in. */
export interface OwnRefusal {
  refusal: { code: ErrorCode; extras: Record<string, unknown> };
}

/** `filter` of a list, parsed to its tree. Present but not a filter is an error whatever it holds: empty, blank or repeated. */
export const filterParameter = (resource: Resource) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((text, context) => {
      try {
        if (typeof text === 'string') return parseFilterText(resource, text);
        throw new FilterError('filter may be given only once; join conditions with and');
      } catch (error) {
        if (!(error instanceof FilterError)) throw error;
        const params: OwnRefusal = { refusal: { code: 'invalid_filter', extras: error.extras() } };
        context.addIssue({ code: 'custom', message: error.message, params: { ...params } });
        return z.NEVER;
      }
    })
    .optional()
    .meta(
      describedAs({
        type: 'string',
        description:
          'Predicates `field operator value` joined by `and`; alternatives in parentheses joined by `or`, for example `(model = gpt-4o or model = o3) and cost > 0.01`. GET /v1/filter-schema lists fields, operators and limits.',
      }),
    );
