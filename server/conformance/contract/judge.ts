/** Compares an answer with the document and with the expectation. */
import type { Operation, PublishedApi } from '../published/published-api.ts';
import { answerName, answersAt, bodiless, isGivenBy, type Target } from './declared.ts';
import type { Response } from './send.ts';
import type { Trigger } from './trigger.ts';

export interface Judgement {
  /** Name of the declared answer; null for an undeclared one. */
  triggered: string | null;
  problems: string[];
}

export function judge(api: PublishedApi, target: Target, operation: Operation, trigger: Trigger, response: Response): Judgement {
  const { status, type, body } = response;
  const code = codeIn(response);
  const content = operation.answers[status]?.content;
  const actual = `${status} ${code ?? (content ? type : bodiless)}`;
  const expected = `${trigger.status} ${trigger.code ?? ((trigger.type ?? 'application/json') || bodiless)}`;
  const problems = actual === expected ? [] : [`got ${actual}, not ${expected}`];
  const where = answersAt(operation, status)[code ?? 'reply'];
  if (!isGivenBy(target, where)) return { triggered: null, problems: [...problems, `${actual} is not declared for ${target} gateways`] };
  if (!content) {
    if (body.length > 0) problems.push(`${status} is declared without a body`);
    return { triggered: answerName(operation, status, bodiless), problems };
  }
  const served = content[type] ? type : '*/*';
  const declared = content[served];
  if (!declared) return { triggered: null, problems: [...problems, `${type || 'no type'} is not declared for ${status}`] };
  const problem = isBytes(type, served) ? null : problemOf(() => api.problemOfAnswer(declared.schema, valueIn(response)));
  if (problem !== null) problems.push(`the body${problem}`);
  return { triggered: answerName(operation, status, code ?? served), problems };
}

const isBytes = (type: string, served: string): boolean => served === '*/*' || type === 'application/x-protobuf';

function problemOf(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    return ` cannot be read: ${String(error)}`;
  }
}

/** Value that the schema of the media type describes: JSON, the text itself, or the data of one event. */
function valueIn({ type, body }: Response): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  if (type === 'application/json') return JSON.parse(text);
  if (type === 'text/event-stream') return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
  return text;
}

/** Error code; null for a success. An error in protobuf is a Status whose message begins with the code. */
function codeIn({ status, type, body }: Response): string | null {
  if (status < 400) return null;
  if (type === 'application/x-protobuf') return messageOf(body).split(': ')[0] ?? null;
  if (type !== 'application/json') return null;
  const { error } = JSON.parse(body.toString()) as { error?: { code?: string } };
  return error?.code ?? null;
}

/** The message of a google.rpc.Status: field 2, after the number in field 1. */
function messageOf(status: Buffer): string {
  if (status[0] !== 0x08 || status[2] !== 0x12) throw new Error(`not a Status: ${status.toString('hex')}`);
  let at = 3;
  while ((status[at++] ?? 0) >= 0x80);
  return status.toString('utf8', at);
}
