/**
 * Error messages for values that a schema refuses: one place for all schemas, in every process that validates. A schema's own message is
 * kept; the default messages of zod are never shown.
 */
import { z } from 'zod';
import { didYouMean } from './nearest-word.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** A problem and its location. */
export interface Problem {
  path: readonly PropertyKey[];
  message: string;
}

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  undefined: 'left out',
  never: 'left out',
  nan: 'NaN',
  date: 'a date',
  map: 'a map',
  set: 'a set',
};

const formats: Record<string, string> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  email: 'an e-mail address',
  url: 'a URL',
  date: 'a date, YYYY-MM-DD',
  datetime: 'a date-time such as 2026-01-15T10:30:00.000Z',
  time: 'a time',
  duration: 'an ISO 8601 duration',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
  jwt: 'a JSON Web Token',
};

const nounOf = (expected: string): string => nouns[expected] ?? `a ${expected}`;

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : String(value);
  if (typeof value === 'boolean') return String(value);
  return nounOf(typeof value);
}

const quoted = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(shortened(value)) : kindOf(value));
const shortened = (text: string): string => (text.length <= 40 ? text : `${text.slice(0, 40).toWellFormed()}…`);
const joinedWithOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const required = 'is required';
/** The issue codes that a missing value can have. */
const missingValueCodes: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union'] satisfies RawIssue['code'][]);

/** For `z.config`: the message of an issue whose schema has none of its own. */
export function issueWords(issue: RawIssue): string {
  const { input } = issue;
  if (input === undefined && missingValueCodes.has(issue.code)) return required;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'never') return 'must be left out';
      return `must be ${nounOf(issue.expected)}, not ${issue.expected === 'int' && typeof input === 'number' ? input : kindOf(input)}`;
    case 'invalid_value':
      return oneOf(issue.values.map(String), input);
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true, issue.exact ?? false);
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true, issue.exact ?? false);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formatWords(issue as unknown as { format: string; [more: string]: unknown });
    case 'unrecognized_keys':
      return issue.keys.map((key) => `has no field ${quoted(key)}${didYouMean(key, keysOf(issue.inst))}`).join('; ');
    case 'invalid_key':
      return 'has a key that is not allowed';
    case 'invalid_element':
      return 'has an element that is not allowed';
    case 'invalid_union':
      return unionWords(issue as unknown as Union, input);
    default:
      return 'is not valid here';
  }
}

function oneOf(values: readonly string[], input: unknown): string {
  const guess = typeof input === 'string' ? didYouMean(input, values) : '';
  const what = values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
  return `${what}, not ${quoted(input)}${guess}`;
}

const units: Record<string, string> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'entries',
  object: 'fields',
  file: 'bytes',
};
const counted = (origin: string, count: number): string =>
  `${count} ${count === 1 ? units[origin]?.replace(/ies$/, 'y').replace(/s$/, '') : units[origin]}`;

function tooSmall(origin: string, minimum: number, inclusive: boolean, exact: boolean): string {
  if (!units[origin]) return exact ? `must be ${minimum}` : `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`;
  if (exact) return `must have exactly ${counted(origin, minimum)}`;
  const least = inclusive ? minimum : minimum + 1;
  return least === 1 ? 'must not be empty' : `must have at least ${counted(origin, least)}`;
}

function tooBig(origin: string, maximum: number, inclusive: boolean, exact: boolean): string {
  if (!units[origin]) return exact ? `must be ${maximum}` : `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`;
  return `must have ${exact ? 'exactly' : 'at most'} ${counted(origin, inclusive ? maximum : maximum - 1)}`;
}

function formatWords({ format, prefix, suffix, includes, pattern }: { format: string; [more: string]: unknown }): string {
  if (format === 'starts_with') return `must begin with ${prefix}`;
  if (format === 'ends_with') return `must end with ${suffix}`;
  if (format === 'includes') return `must contain ${includes}`;
  if (format === 'lowercase') return 'must be lower-case';
  if (format === 'uppercase') return 'must be upper-case';
  const noun = formats[format];
  return noun ? `must be ${noun}` : `must match ${pattern ?? format}`;
}

/** The fields that an object may have, for suggestions. */
function keysOf(inst: unknown): string[] {
  const def = (inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def;
  return Object.keys(def?.shape ?? {});
}

type Union = Extract<Issue, { code: 'invalid_union' }>;

const hasDiscriminator = (issue: object): issue is { discriminator: string; options?: readonly unknown[] } =>
  'discriminator' in issue && typeof issue.discriminator === 'string';

function unionWords(issue: Union, input: unknown): string {
  if (hasDiscriminator(issue)) {
    const { discriminator, options = [] } = issue;
    const value = (input as Record<string, unknown> | undefined)?.[discriminator];
    return value === undefined ? required : oneOf(options.map(String), value);
  }
  const { path, message } = branchProblems(issue, [])[0] ?? { path: [], message: 'is not valid here' };
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}

/** Whether an issue rules out a branch of a union, because the branch takes another kind of value. */
const isOtherKind = (issue: Issue): boolean =>
  issue.path.length === 0 &&
  (issue.code === 'invalid_type' ||
    issue.code === 'invalid_value' ||
    (issue.code === 'invalid_union' && issue.errors.length > 0 && issue.errors.every((branch) => branch.some(isOtherKind))));

const unknownKeysIn = (branch: readonly Issue[]): number =>
  branch.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys.length : 0), 0);

/** The kinds of value that branches accept. */
function kindsOf(branches: readonly (readonly Issue[])[]): string[] {
  const kinds = branches
    .flatMap((branch) => branch.filter(isOtherKind))
    .flatMap((issue) => {
      if (issue.code === 'invalid_type') return nounOf(issue.expected);
      if (issue.code === 'invalid_value') return issue.values.map(String);
      return issue.code === 'invalid_union' ? kindsOf(issue.errors) : [];
    });
  return [...new Set(kinds)];
}

/** For a union, the problems of the branch that was probably meant, unless the schema has its own message. */
function problemsOf(issue: Issue, parentPath: readonly PropertyKey[]): Problem[] {
  const hasOwnMessage = issue.code !== 'invalid_union' || issue.errors.length === 0 || issue.message !== unionWords(issue, null);
  return hasOwnMessage ? [{ path: [...parentPath, ...issue.path], message: issue.message }] : branchProblems(issue, parentPath);
}

/** Of the branches that accept this kind of value, the one with the fewest unknown fields. */
function branchProblems({ errors, path: ownPath = [] }: Union, parentPath: readonly PropertyKey[]): Problem[] {
  const path = [...parentPath, ...ownPath];
  const nearest = errors.filter((branch) => !branch.some(isOtherKind)).sort((a, b) => unknownKeysIn(a) - unknownKeysIn(b))[0];
  return nearest?.flatMap((issue) => problemsOf(issue, path)) ?? [{ path, message: `must be ${joinedWithOr(kindsOf(errors))}` }];
}

/** Every problem of a refused value, in the order of the schema. */
export const problemsIn = ({ issues }: z.core.$ZodError): Problem[] => issues.flatMap((issue) => problemsOf(issue, []));

z.config({ customError: issueWords });
