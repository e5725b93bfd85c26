import type { z } from 'zod';
import type { ErrorCode } from '../../shared/contract/core/errors.ts';
import type { RefusalParams } from '../../shared/contract/core/filter-parameter.ts';
import { problemsIn } from '../../shared/words/issue-words.ts';
import { Failure } from './fail.ts';

const summary = {
  invalid_path_params: 'Invalid path parameters',
  invalid_query_params: 'Invalid query parameters',
  invalid_request_body: 'Invalid request body',
} as const satisfies Partial<Record<ErrorCode, string>>;

/**
 * Parses with a declared schema; an error names every field once, with its first problem (docs/reference/http-api.md#errors), unless a schema
 * has a code of its own.
 */
export function validate<T>(schema: z.ZodType<T> | undefined, value: unknown, code: keyof typeof summary): T | undefined {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const own = issue.code === 'custom' ? (issue.params as Partial<RefusalParams> | undefined)?.refusal : undefined;
    if (own) throw new Failure(own.code, issue.message, own.extras);
  }
  const details: Record<string, string> = {};
  for (const { path, message } of problemsIn(result.error)) {
    const isRepeated = code === 'invalid_query_params' && Array.isArray((value as Record<string, unknown>)[String(path[0])]);
    details[path.join('.') || '_'] ??= isRepeated && path.length === 1 ? 'may be given only once' : message;
  }
  const [field] = result.error.issues.flatMap((issue) => (issue.code === 'custom' ? (issue.params?.field ?? []) : []));
  throw new Failure(code, summary[code], { details, ...(field === undefined ? {} : { field }) });
}

/** The query of a URL. A key that repeats is a list, which only list parameters accept. */
export function readQuery(url: string): Record<string, string | string[]> {
  const mark = url.indexOf('?');
  const query: Record<string, string | string[]> = Object.create(null);
  if (mark === -1) return query;
  for (const [key, value] of new URLSearchParams(url.slice(mark + 1))) {
    const earlier = query[key];
    query[key] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value];
  }
  return query;
}
