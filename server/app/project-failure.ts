import type { ErrorCode } from '../../shared/contract/core/errors.ts';
import { TemplateSyntaxError } from '../project/mdx/template-syntax-error.ts';
import { ProjectError, type ProjectProblem } from '../project/project-error.ts';
import { Failure, fail } from './fail.ts';
import { failForDeadThread } from './overload.ts';

const summaries = {
  invalid_path_params: 'Invalid path parameters',
  invalid_query_params: 'Invalid query parameters',
  invalid_request_body: 'Invalid request body',
} as const;

/** Error messages of a route for failures with project files. */
export interface Wording {
  /** The parameter that holds the name. */
  field: string;
  illegal: keyof typeof summaries;
  unreadable: ErrorCode;
  tooLarge: ErrorCode;
}

/** Runs an operation on project files and translates its errors. */
export async function fromProject<T>(wording: Wording, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProjectError ? failureOf(error, wording) : error;
  }
}

export type TemplateTree = { type: 'root'; children: { type: string }[] };

/** Template as JSON; a syntax error becomes the answer, with its position. */
export async function treeOf(wording: Wording, read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await fromProject(wording, read);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) return failForDeadThread(error);
    const { message, file, line, column } = error;
    const position = `${file === null ? '' : `${file}, `}line ${line}, column ${column}`;
    return fail('template_parse_error', `${message} (${position})`, { ...(file === null ? {} : { file }), line, column });
  }
}

/** For routes without a name. */
export const nameless: Wording = {
  field: '_',
  illegal: 'invalid_query_params',
  unreadable: 'invalid_project_file',
  tooLarge: 'invalid_project_file',
};

function failureOf({ problem, message, location }: ProjectError, { field, illegal, unreadable, tooLarge }: Wording): Failure {
  if (problem === 'illegal') {
    return new Failure(illegal, summaries[illegal], { details: { [field]: message } });
  }
  if (location) return new Failure('invalid_project_file', message, { ...location });
  const code: Record<Exclude<ProjectProblem, 'illegal'>, ErrorCode> = {
    invalid: 'invalid_project_file',
    outside: 'forbidden',
    too_large: tooLarge,
    unreadable,
    full: 'storage_full',
    denied: 'storage_unavailable',
  };
  const retrySeconds = problem === 'full' || problem === 'denied' ? 5 : null;
  if (code[problem].startsWith('invalid_') && code[problem].endsWith('_params'))
    return new Failure(code[problem], 'Invalid path parameters', { details: { [field]: message } });
  return new Failure(code[problem], message, {}, retrySeconds);
}
