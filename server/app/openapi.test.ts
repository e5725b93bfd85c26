/** Whether clients can rely on the document: it must describe what the server does with a request, without contradictions. */
import { describe, expect, it } from 'vitest';
import { bodyLimitOf } from '../../shared/contract/core/body-limit.ts';
import { schemaValidator } from '../conformance/published/published-api.ts';
import { encodings } from '../ingest/otlp/inflate.ts';
import { codesOf } from './declared-answers.ts';
import { ingestPathOf } from './ingest-paths.ts';
import type { DescribedOperation, Parameter, Schema } from './openapi/descriptions.ts';
import { describeApi, describeApiForClients, everyRoute } from './openapi.ts';

const fullDocument = describeApi();
const clientDocument = describeApiForClients();
const operationsOf = ({ paths }: typeof fullDocument): DescribedOperation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));
const operations = operationsOf(fullDocument);
const forClients = operationsOf(clientDocument);
const parametersOf = ({ parameters = [] }: DescribedOperation): Parameter[] => parameters.filter(({ $ref }) => $ref === undefined);
const operation = (id: string) => operations.find(({ operationId }) => operationId === id) as DescribedOperation;
const parameter = (id: string, name: string) => parametersOf(operation(id)).find((parameter) => parameter.name === name)?.schema;

describe('a parameter of the document', () => {
  it('that is a number or a boolean is not also declared as a string', () => {
    const typed = operations.flatMap(parametersOf).filter(({ schema }) => /integer|boolean/.test(String(schema['type'])));
    expect(typed.length).toBeGreaterThan(20);
    expect(typed.filter(({ schema }) => 'anyOf' in schema || 'enum' in schema)).toEqual([]);
  });

  it('that has a type has no alternatives to it', () => {
    const twice = operations.flatMap((operation) =>
      parametersOf(operation).flatMap(({ name, schema }) =>
        'type' in schema && 'anyOf' in schema ? [`${operation.operationId} ${name}`] : [],
      ),
    );
    expect(twice).toEqual([]);
    expect(parameter('list-traces', 'tag')).toEqual({ type: 'array', items: { type: 'string' } });
    expect(parameter('list-traces', 'filter')).toEqual({ type: 'string' });
  });

  it('has the bounds that the server enforces', () => {
    expect(parameter('list-traces', 'offset')).toEqual({ type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31, default: 0 });
    expect(parameter('list-spans', 'min_duration')).toEqual({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });
    expect(new RegExp(String(parameter('get-template', 'path')?.['pattern'])).test('a.txt')).toBe(false);
  });
});

it('a route declares invalid_content_encoding if, and only if, it accepts compressed bodies', () => {
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
    const undescribedNames = forClients.flatMap(({ operationId, requestBody, responses, ...rest }) => [
      ...parametersOf({ operationId, responses, ...rest }).flatMap(({ name, description }) =>
        description ? [] : [`${operationId} ?${name}`],
      ),
      ...undescribed(operationId, [requestBody, responses]),
    ]);
    const components = Object.entries(clientDocument.components.schemas ?? {});
    const undescribedComponents = components.filter(([, { description }]) => !description).map(([name]) => name);
    expect([...undescribedNames, ...undescribedComponents, ...components.flatMap(([name, schema]) => undescribed(name, schema))]).toEqual(
      [],
    );
  });

  it('an event is described alike where it is sent and where it is read', () => {
    const descriptionsOf = (name: string) =>
      Object.entries(fullDocument.components.schemas?.[name]?.properties ?? {}).map(([property, { description }]) => [
        property,
        description,
      ]);
    expect(descriptionsOf('SentAgentEvent').length).toBeGreaterThan(5);
    expect(descriptionsOf('SentAgentEvent')).toEqual(descriptionsOf('AgentEvent'));
  });

  it('ingest names the codings it takes and the paths of other backends that lead to it', () => {
    const { description } = operation('ingest-traces');
    for (const coding of encodings) expect(description).toContain(coding);
    const mentioned = [...description.matchAll(/`(\/\S+)`/g)].map(([, path = '']) => path);
    expect(mentioned.map(ingestPathOf)).toEqual(['/v1/traces', '/v1/traces']);
  });

  it('every tag that is used is described, and no other', () => {
    const tags = (fullDocument['tags'] as { name: string; description: string }[]).map(({ name, description }) =>
      description ? name : '',
    );
    expect(tags.toSorted()).toEqual([...new Set(everyRoute.filter(({ undocumented }) => !undocumented).map(({ tag }) => tag))].sort());
  });

  it('the document for clients has nothing internal, and no component that only internal operations use', () => {
    expect(forClients.filter((operation) => operation['x-internal'])).toEqual([]);
    expect(Object.keys(clientDocument.components.schemas ?? {})).toContain('Trace');
    for (const name of ['TraceOutline', 'Destination', 'Member']) {
      expect(Object.keys(fullDocument.components.schemas ?? {})).toContain(name);
      expect(Object.keys(clientDocument.components.schemas ?? {})).not.toContain(name);
    }
    expect(Object.keys(clientDocument.components['securitySchemes'] ?? {})).toEqual(['apiKey', 'rawApiKey', 'session']);
  });

  it('answers allow future properties, and requests are as strict as the server', () => {
    expect(JSON.stringify(operations.map(({ responses }) => responses))).not.toContain('"additionalProperties":false');
    expect(JSON.stringify(fullDocument.components.schemas?.['Trace'])).not.toContain('additionalProperties');
    expect(operation('search-traces').requestBody?.content?.['application/json']?.schema).toMatchObject({ additionalProperties: false });
    expect(fullDocument.components.schemas?.['DatasetRow']).toMatchObject({ additionalProperties: false });
  });

  it('headers that an answer may have are declared with it', () => {
    for (const { operationId, responses } of operations) {
      const names = (status: string) => Object.keys(responses[status]?.headers ?? {});
      if (responses['429']) expect(names('429'), operationId).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Reset']));
      if (responses['503']?.description.includes('`')) expect(names('503'), operationId).toContain('Retry-After');
    }
    const deprecatedOperations = operations.filter(({ responses }) => 'Deprecation' in (responses['200']?.headers ?? {}));
    expect(deprecatedOperations).toEqual(operations.filter(({ deprecated }) => deprecated));
    expect(deprecatedOperations.map(({ operationId }) => operationId).toSorted()).toEqual([
      'get-trace-graph',
      'list-run-traces',
      'list-session-traces',
    ]);
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
  const { problem, problemOfAnswer } = schemaValidator(clientDocument.components);

  it('exists for the request and for the answer', () => {
    for (const operation of forClients) {
      const { operationId, requestBody, responses } = operation;
      const required = parametersOf(operation).filter(({ in: where }) => where === 'path');
      expect(required.filter(({ example }) => example === undefined).map(({ name }) => `${operationId} ${name}`)).toEqual([]);
      const body = requestBody?.content?.['application/json'];
      if (body) expect(body.example, `${operationId} body`).toBeDefined();
      const answers = Object.entries(responses).flatMap(([status, { content }]) =>
        status.startsWith('2') ? (content?.['application/json'] ?? []) : [],
      );
      if (answers.length > 0) expect(answers.filter(({ example }) => example !== undefined).length, `${operationId} answer`).toBe(1);
    }
  });

  it('matches its schema, without a property that the schema does not name', () => {
    const wrong: string[] = [];
    const check = (what: string, message: string | null) => void (message !== null && wrong.push(`${what}${message}`));
    for (const operation of forClients) {
      for (const { name, schema, example } of parametersOf(operation).filter(({ example }) => example !== undefined))
        check(`${operation.operationId} ${name}`, problem(schema, example));
      for (const { schema, example } of Object.values(operation.requestBody?.content ?? {}))
        if (example !== undefined) check(`${operation.operationId} body`, problem(schema, example));
      for (const { schema, example } of Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content)))
        if (example !== undefined) check(`${operation.operationId} answer`, problemOfAnswer(schema, example));
    }
    expect(wrong).toEqual([]);
  });
});
