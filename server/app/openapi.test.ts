/** What readers of the document trip over: it must say of a request what the server does with it, in words that do not contradict. */
import { describe, expect, it } from 'vitest';
import { bodyLimitOf } from '../../shared/contract/core/body-limit.ts';
import { schemaValidator } from '../conformance/published/published-api.ts';
import { encodings } from '../ingest/otlp/inflate.ts';
import { codesOf } from './declared-answers.ts';
import { ingestPathOf } from './ingest-paths.ts';
import type { DescribedOperation, Parameter, Schema } from './openapi/words.ts';
import { describeApi, describeApiForClients, everyRoute } from './openapi.ts';

const whole = describeApi();
const shown = describeApiForClients();
const operationsOf = ({ paths }: typeof whole): DescribedOperation[] => Object.values(paths).flatMap((methods) => Object.values(methods));
const operations = operationsOf(whole);
const forClients = operationsOf(shown);
const parametersOf = ({ parameters = [] }: DescribedOperation): Parameter[] => parameters.filter(({ $ref }) => $ref === undefined);
const operation = (id: string) => operations.find(({ operationId }) => operationId === id) as DescribedOperation;
const parameter = (id: string, name: string) => parametersOf(operation(id)).find((each) => each.name === name)?.schema;

describe('a parameter of the document', () => {
  it('that is a number or a boolean does not also say that it is a text', () => {
    const typed = operations.flatMap(parametersOf).filter(({ schema }) => /integer|boolean/.test(String(schema['type'])));
    expect(typed.length).toBeGreaterThan(20);
    expect(typed.filter(({ schema }) => 'anyOf' in schema || 'enum' in schema)).toEqual([]);
  });

  it('that has a type has no alternatives to it', () => {
    const twice = operations.flatMap((each) =>
      parametersOf(each).flatMap(({ name, schema }) => ('type' in schema && 'anyOf' in schema ? [`${each.operationId} ${name}`] : [])),
    );
    expect(twice).toEqual([]);
    expect(parameter('list-traces', 'tag')).toEqual({ type: 'array', items: { type: 'string' } });
    expect(parameter('list-traces', 'filter')).toEqual({ type: 'string' });
  });

  it('has the bounds that the server holds it to', () => {
    expect(parameter('list-traces', 'offset')).toEqual({ type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31, default: 0 });
    expect(parameter('list-spans', 'min_duration')).toEqual({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });
    expect(new RegExp(String(parameter('get-template', 'path')?.['pattern'])).test('a.txt')).toBe(false);
  });
});

it('a route says that its body may be packed wrongly if, and only if, it takes packed ones', () => {
  const wrong = everyRoute.filter(
    (route) => route.body && !route.takes && codesOf(route).includes('invalid_content_encoding') !== bodyLimitOf(route).gzip,
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

describe('what a client author needs', () => {
  it('every operation says what it does, who may call it and where it is served', () => {
    for (const { operationId, summary, description, security, ...rest } of operations) {
      expect(summary, operationId).not.toBe('');
      expect(security, operationId).toBeInstanceOf(Array);
      const permission = rest['x-permission'] as string | undefined;
      const modes = rest['x-modes'] as string[];
      expect(modes.length, operationId).toBeGreaterThan(0);
      if (permission?.includes('.') && modes.includes('cloud')) expect(description, operationId).toContain(`\`${permission}\``);
      if (permission === undefined) expect([operationId, security]).toEqual([operationId, []]);
      else expect([operationId, security?.length === 0]).toEqual([operationId, !modes.includes('cloud')]);
    }
  });

  it('an operation for clients has a description of its own, not its summary again', () => {
    const first = forClients.map(({ operationId, description }) => [operationId, description.split('\n\n')[0] ?? ''] as const);
    expect(first.filter(([, text]) => text.length < 40 || text.startsWith('Needs the permission')).map(([id]) => id)).toEqual([]);
    expect(forClients.filter(({ summary, description }) => description.startsWith(summary)).map(({ operationId }) => operationId)).toEqual(
      [],
    );
  });

  it('every parameter and every property has a description', () => {
    const bare = forClients.flatMap(({ operationId, requestBody, responses, ...rest }) => [
      ...parametersOf({ operationId, responses, ...rest }).flatMap(({ name, description }) =>
        description ? [] : [`${operationId} ?${name}`],
      ),
      ...undescribed(operationId, [requestBody, responses]),
    ]);
    const components = Object.entries(shown.components.schemas ?? {});
    const nameless = components.filter(([, { description }]) => !description).map(([name]) => name);
    expect([...bare, ...nameless, ...components.flatMap(([name, schema]) => undescribed(name, schema))]).toEqual([]);
  });

  it('an event is described alike where it is sent and where it is read', () => {
    const wordsOf = (name: string) =>
      Object.entries(whole.components.schemas?.[name]?.properties ?? {}).map(([property, { description }]) => [property, description]);
    expect(wordsOf('SentAgentEvent').length).toBeGreaterThan(5);
    expect(wordsOf('SentAgentEvent')).toEqual(wordsOf('AgentEvent'));
  });

  it('ingest names the codings it takes and the paths of other backends that lead to it', () => {
    const { description } = operation('ingest-traces');
    for (const coding of encodings) expect(description).toContain(coding);
    const named = [...description.matchAll(/`(\/\S+)`/g)].map(([, path = '']) => path);
    expect(named.map(ingestPathOf)).toEqual(['/v1/traces', '/v1/traces']);
  });

  it('every tag that is used is described, and no other', () => {
    const tags = (whole['tags'] as { name: string; description: string }[]).map(({ name, description }) => (description ? name : ''));
    expect(tags.toSorted()).toEqual([...new Set(everyRoute.filter(({ undocumented }) => !undocumented).map(({ tag }) => tag))].sort());
  });

  it('nothing internal is shown to clients, and no component that only that would use', () => {
    expect(forClients.filter((each) => each['x-internal'])).toEqual([]);
    expect(Object.keys(shown.components.schemas ?? {})).toContain('Trace');
    for (const name of ['TraceOutline', 'Destination', 'Member']) {
      expect(Object.keys(whole.components.schemas ?? {})).toContain(name);
      expect(Object.keys(shown.components.schemas ?? {})).not.toContain(name);
    }
    expect(Object.keys(shown.components['securitySchemes'] ?? {})).toEqual(['apiKey', 'rawApiKey', 'session']);
  });

  it('answers are open for properties to come, and requests as strict as the server', () => {
    expect(JSON.stringify(operations.map(({ responses }) => responses))).not.toContain('"additionalProperties":false');
    expect(JSON.stringify(whole.components.schemas?.['Trace'])).not.toContain('additionalProperties');
    expect(operation('search-traces').requestBody?.content?.['application/json']?.schema).toMatchObject({ additionalProperties: false });
    expect(whole.components.schemas?.['DatasetRow']).toMatchObject({ additionalProperties: false });
  });

  it('headers that an answer may have are declared with it', () => {
    for (const { operationId, responses } of operations) {
      const names = (status: string) => Object.keys(responses[status]?.headers ?? {});
      if (responses['429']) expect(names('429'), operationId).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Reset']));
      if (responses['503']?.description.includes('`')) expect(names('503'), operationId).toContain('Retry-After');
    }
    const gone = operations.filter(({ responses }) => 'Deprecation' in (responses['200']?.headers ?? {}));
    expect(gone).toEqual(operations.filter(({ deprecated }) => deprecated));
    expect(gone.map(({ operationId }) => operationId).toSorted()).toEqual(['get-trace-graph', 'list-run-traces', 'list-session-traces']);
    expect(Object.keys(operation('get-trace-graph').responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['Sunset', 'Link', 'RateLimit-Limit']),
    );
    expect(operation('get-openapi').responses['304']?.headers).toHaveProperty('ETag');
  });
});

/** Properties without a description, by the path to them. */
function undescribed(at: string, schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key === 'example' || key === 'examples') return [];
    if (key !== 'properties') return undescribed(at, inner);
    const properties = Object.entries(inner as Record<string, Schema>);
    return properties.flatMap(([name, property]) => [
      ...(property.description || property.$ref ? [] : [`${at}.${name}`]),
      ...undescribed(`${at}.${name}`, property),
    ]);
  });
}

describe('the example of an operation', () => {
  const { problem, problemOfAnswer } = schemaValidator(shown.components);

  it('is there for the request and for the answer', () => {
    for (const each of forClients) {
      const { operationId, requestBody, responses } = each;
      const required = parametersOf(each).filter(({ in: where }) => where === 'path');
      expect(required.filter(({ example }) => example === undefined).map(({ name }) => `${operationId} ${name}`)).toEqual([]);
      const body = requestBody?.content?.['application/json'];
      if (body) expect(body.example, `${operationId} body`).toBeDefined();
      const answers = Object.entries(responses).flatMap(([status, { content }]) =>
        status.startsWith('2') ? (content?.['application/json'] ?? []) : [],
      );
      if (answers.length > 0) expect(answers.filter(({ example }) => example !== undefined).length, `${operationId} answer`).toBe(1);
    }
  });

  it('is as its schema says, without a property that the schema does not name', () => {
    const wrong: string[] = [];
    const check = (what: string, said: string | null) => void (said !== null && wrong.push(`${what}${said}`));
    for (const each of forClients) {
      for (const { name, schema, example } of parametersOf(each).filter(({ example }) => example !== undefined))
        check(`${each.operationId} ${name}`, problem(schema, example));
      for (const { schema, example } of Object.values(each.requestBody?.content ?? {}))
        if (example !== undefined) check(`${each.operationId} body`, problem(schema, example));
      for (const { schema, example } of Object.values(each.responses).flatMap(({ content = {} }) => Object.values(content)))
        if (example !== undefined) check(`${each.operationId} answer`, problemOfAnswer(schema, example));
    }
    expect(wrong).toEqual([]);
  });
});
