import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../shared/client.ts';
import type { ScoreItemResult } from '../../../shared/contract/evaluation/score-draft.ts';
import type { Score } from '../../../shared/contract/evaluation/scores.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { badDates, badLimits, badOffsets } from '../../fixtures/bad-values.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.stop());

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The code and the named fields of a refused POST. */
async function refusedPost(path: string, body: unknown): Promise<{ status: number; code: string; fields: string[] }> {
  const response = await post(path, body);
  const { error } = (await response.json()) as { error: { code: string; details?: object } };
  return { status: response.status, code: error.code, fields: Object.keys(error.details ?? {}) };
}

const create = (resource_id: string, name = 'accuracy', score = 1) => client.scores.create({ body: { resource_id, name, score } });

async function listScores(query: string): Promise<Score[]> {
  const response = await fetch(`/v1/scores?${query}`);
  expect(response.status, query).toBe(200);
  return ((await response.json()) as { data: Score[] }).data;
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;

describe('POST /v1/scores', () => {
  it('answers 201 with the score, its id and a message, and the score can be read', async () => {
    const before = Date.now();
    const body = {
      resource_id: 'r',
      name: 'tone',
      score: -0.5,
      label: 'rude',
      reason: 'no greeting',
      source: 'annotation',
      session_id: 's',
    } as const;
    const response = await post('/v1/scores', body);
    expect(response.status).toBe(201);
    const { data, id, message } = (await response.json()) as { data: Score; id: string; message: string };
    expect(data).toEqual({ ...body, id: uuid, created_at: expect.any(String) });
    expect([id, message]).toEqual([data.id, 'Score created']);
    expect(Date.parse(data.created_at)).toBeGreaterThanOrEqual(before);
    expect(await client.scores.get({ params: { scoreId: id } })).toEqual({ data });
  });

  it('fills in defaults, and leaves out what is unknown', async () => {
    const { data } = await create('r', 'plain', 0);
    expect(data).toEqual({
      id: data.id,
      created_at: data.created_at,
      resource_id: 'r',
      name: 'plain',
      score: 0,
      label: '',
      reason: '',
      source: 'api',
    });
  });

  it('accepts the camelCase id, any type and unknown keys, and ignores what it says about the author', async () => {
    const extras = { type: 'x', data_type: 'boolean', dataType: 7, unknown: [], user_id: 'mallory', id: 'mine', created_at: '1999-01-01' };
    const response = await post('/v1/scores', { resourceId: 'camel', name: 'n', score: 1, session_id: '', ...extras });
    expect(response.status).toBe(201);
    const { data } = (await response.json()) as { data: Score };
    expect(data).toMatchObject({ resource_id: 'camel', id: uuid });
    for (const key of ['user_id', 'session_id', 'data_type', 'resourceId', 'unknown']) expect(data).not.toHaveProperty(key);
    expect(data.id).not.toBe('mine');
    expect(Date.parse(data.created_at)).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  it('prefers the snake_case id when both are given', async () => {
    const response = await post('/v1/scores', { resource_id: 'snake', resourceId: 'camel', name: 'n', score: 1 });
    expect(((await response.json()) as { data: Score }).data.resource_id).toBe('snake');
  });

  it('makes a new record each time', async () => {
    const ids = [(await create('again')).id, (await create('again')).id, (await create('again')).id];
    expect((await listScores('resource_id=again')).map(({ id }) => id)).toEqual(ids.toReversed());
  });

  const good = { resource_id: 'r', name: 'n', score: 1 };
  it.each<[unknown, string[]]>([
    [{}, ['resource_id', 'name', 'score']],
    ['', ['resource_id', 'name', 'score']],
    ['null', ['resource_id', 'name', 'score']],
    ['[]', ['_']],
    ['{"score":', ['_']],
    [{ ...good, resource_id: '' }, ['resource_id']],
    [{ ...good, resource_id: 5 }, ['resource_id']],
    [{ name: 'n', score: 1, resourceId: '' }, ['resource_id']],
    [{ ...good, name: '' }, ['name']],
    [{ ...good, name: null }, ['name']],
    [{ ...good, score: '1' }, ['score']],
    [{ ...good, score: null }, ['score']],
    [{ ...good, score: true }, ['score']],
    ['{"resource_id":"r","name":"n","score":1e999}', ['score']],
    [{ ...good, label: 1 }, ['label']],
    [{ ...good, reason: {} }, ['reason']],
    [{ ...good, source: 'eval' }, ['source']],
    [{ ...good, source: 'API' }, ['source']],
    [{ ...good, session_id: 1 }, ['session_id']],
    ...(['resource_id', 'name', 'label', 'reason', 'session_id'] as const).map((key): [unknown, string[]] => [
      `{"resource_id":"r","name":"n","score":1,"${key}":"\\ud800"}`,
      [key],
    ]),
  ])('refuses %j and names %j', async (body, fields) => {
    expect(await refusedPost('/v1/scores', body)).toEqual({ status: 400, code: 'invalid_request_body', fields });
  });
});

describe('POST /v1/scores/batch', () => {
  interface Outcome {
    results: ScoreItemResult[];
    summary: { total: number; succeeded: number; failed: number };
  }
  const batch = async (scores: unknown[]): Promise<[number, Outcome]> => {
    const response = await post('/v1/scores/batch', { scores });
    return [response.status, ((await response.json()) as { data: Outcome }).data];
  };
  const item = (parts: object = {}) => ({ resource_id: 'batched', name: 'n', score: 1, ...parts });

  it('answers 201 when all are stored, each in its place', async () => {
    const [status, { results, summary }] = await batch([item({ resource_id: 'b1', client_id: 'one' }), item({ resource_id: 'b2' })]);
    expect([status, summary]).toEqual([201, { total: 2, succeeded: 2, failed: 0 }]);
    expect(results).toEqual([
      { status: 'success', id: uuid, client_id: 'one' },
      { status: 'success', id: uuid },
    ]);
    for (const [index, resource_id] of ['b1', 'b2'].entries()) {
      const result = results[index] as Extract<ScoreItemResult, { status: 'success' }>;
      expect((await client.scores.get({ params: { scoreId: result.id } })).data).toMatchObject({ resource_id });
    }
  });

  it('answers 207 when some are stored, with the reason for each of the others', async () => {
    const [status, { results, summary }] = await batch([
      item({ name: 'mixed' }),
      item({ name: '', client_id: 'c1' }),
      { resourceId: 'camel', name: 'mixed', score: 2 },
      item({ source: 'eval', client_id: 'c2' }),
    ]);
    expect([status, summary]).toEqual([207, { total: 4, succeeded: 2, failed: 2 }]);
    expect(results).toEqual([
      { status: 'success', id: uuid },
      { status: 'error', error: { code: 'missing_required_field', message: 'name is required' }, client_id: 'c1' },
      { status: 'success', id: uuid },
      { status: 'error', error: { code: 'invalid_field_value', message: expect.stringMatching(/^source: /) }, client_id: 'c2' },
    ]);
    expect((await listScores('name=mixed')).map(({ resource_id }) => resource_id)).toEqual(['camel', 'batched']);
  });

  it('answers 400 with the same body when none is stored, which the typed client returns', async () => {
    const { data } = await client.scores.createBatch({ body: { scores: [{}, 5] } });
    expect(data.summary).toEqual({ total: 2, succeeded: 0, failed: 2 });
    expect((await post('/v1/scores/batch', { scores: [null] })).status).toBe(400);
  });

  it.each<[unknown, string]>([
    [{}, 'missing_required_field'],
    [item({ resource_id: undefined }), 'missing_required_field'],
    [item({ resource_id: '' }), 'missing_required_field'],
    [item({ resource_id: undefined, resourceId: '' }), 'missing_required_field'],
    [item({ score: undefined, source: 'eval' }), 'missing_required_field'],
    [item({ name: 7 }), 'invalid_field_value'],
    [item({ score: '1' }), 'invalid_field_value'],
    [item({ label: null }), 'invalid_field_value'],
    [item({ reason: '\ud800' }), 'invalid_field_value'],
    [item({ client_id: 'x'.repeat(129) }), 'invalid_field_value'],
    [item({ client_id: 1 }), 'invalid_field_value'],
    [null, 'invalid_field_value'],
    [[], 'invalid_field_value'],
    ['text', 'invalid_field_value'],
  ])('the code of %j is %s', async (scoreItem, code) => {
    const [status, { results }] = await batch([scoreItem]);
    expect([status, results[0]]).toMatchObject([400, { status: 'error', error: { code, message: expect.any(String) } }]);
  });

  it.each<[unknown, string[]]>([
    [{}, ['scores']],
    [{ scores: [] }, ['scores']],
    [{ scores: {} }, ['scores']],
    [{ scores: null }, ['scores']],
    ['[]', ['_']],
  ])('refuses %j as a whole', async (body, fields) => {
    expect(await refusedPost('/v1/scores/batch', body)).toEqual({ status: 400, code: 'invalid_request_body', fields });
  });

  it('accepts a thousand, and refuses one more with 413 and stores none of them', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => item({ name: 'many', score: index }));
    expect((await batch(many))[0]).toBe(201);
    expect(await refusedPost('/v1/scores/batch', { scores: [...many, item({ name: 'many' })] })).toEqual({
      status: 413,
      code: 'payload_too_large',
      fields: [],
    });
    expect((await client.scores.list({ query: { name: 'many', limit: 1 } })).pagination.total).toBe(1000);
  });
});

describe('GET /v1/scores', () => {
  it('lists newest first, fifty to a page, and counts all', async () => {
    const { data, pagination } = await client.scores.list({ query: {} });
    expect(pagination).toMatchObject({ limit: 50, offset: 0 });
    expect([data.length, pagination.total > 1000]).toEqual([50, true]);
    expect(data.map(({ created_at }) => created_at)).toEqual(
      data
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    );
    expect((await client.scores.list({ query: { offset: pagination.total } })).data).toEqual([]);
    expect((await client.scores.list({ query: { limit: 1000 } })).data).toHaveLength(1000);
  });

  it('filters by resource, in either spelling of the key, by its kind and by its session', async () => {
    const [traceId, spanId] = [aTraceId(), aSpanId()];
    const trace = (await create(traceId, 'of trace')).data;
    const span = (await create(spanId, 'of span')).data;
    expect(await listScores(`resource_id=${traceId}&resource_type=trace`)).toEqual([]);
    await gateway.ingest(aRequest([aSpan({ traceId, spanId, attributes: { 'session.id': 'narrow' } })]));
    expect(await listScores(`resource_id=${traceId}`)).toEqual([trace]);
    expect(await listScores(`resourceId=${spanId}`)).toEqual([span]);
    expect(await listScores('resource_type=trace')).toEqual([trace]);
    expect(await listScores('resource_type=span')).toEqual([span]);
    expect(await listScores('session_id=narrow')).toEqual([span, trace]);
    expect(await listScores('session_id=narrow&name=of%20span&source=api')).toEqual([span]);
    expect(await listScores('session_id=s&source=annotation')).toHaveLength(1);
    expect((await client.traces.get({ params: { traceId }, query: { fields: 'scores' } })).data.scores).toEqual([span, trace]);
  });

  it('filters by day', async () => {
    const { data } = await create('dated', 'dated');
    const day = data.created_at.slice(0, 10);
    expect(await listScores(`name=dated&start_date=${day}&end_date=${day}`)).toEqual([data]);
    expect(await listScores('name=dated&end_date=2020-01-01')).toEqual([]);
    expect(await listScores('name=dated&start_date=2199-01-01')).toEqual([]);
  });

  it.each([
    ...badLimits(1000).map((value) => ['limit', value]),
    ...badOffsets.map((value) => ['offset', value]),
    ...badDates.flatMap((value) => [
      ['start_date', value],
      ['end_date', value],
    ]),
    ...['session', 'TRACE', ''].map((value) => ['resource_type', value]),
    ...['eval', 'API', ''].map((value) => ['source', value]),
  ] as [string, string][])('refuses %s=%j and names it', async (key, value) => {
    const { status, code, details } = await refusal(`/v1/scores?${key}=${encodeURIComponent(value)}`);
    expect([status, code, Object.keys(details)]).toEqual([400, 'invalid_query_params', [key]]);
  });

  it.each(['limit=1', 'name=a', 'resource_id=a', 'source=api', 'resource_type=span'])('refuses %s when it is given twice', async (pair) => {
    expect(Object.keys((await refusal(`/v1/scores?${pair}&${pair}`)).details)).toEqual([pair.split('=')[0]]);
  });

  it('refuses a range that ends before it begins, and names its end', async () => {
    expect(Object.keys((await refusal('/v1/scores?start_date=2026-01-16&end_date=2026-01-15')).details)).toEqual(['end_date']);
  });
});

describe('one score', () => {
  it('is deleted with an empty 204, and then not found anywhere', async () => {
    const { id } = await create('short-lived', 'short-lived');
    const response = await fetch(`/v1/scores/${id}`, { method: 'DELETE' });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await refusal(`/v1/scores/${id}`)).toMatchObject({ status: 404, code: 'score_not_found' });
    const again = await client.scores.remove({ params: { scoreId: id } }).catch((error: unknown) => error);
    expect(again).toMatchObject({ status: 404, code: 'score_not_found' });
    expect(again).toBeInstanceOf(GatewayError);
    expect((await client.scores.names()).data).not.toContain('short-lived');
  });

  it.each(['nobody', '%F0%9F%98%80', 'a%2Fb', '00000000-0000-0000-0000-000000000000'])('is not found by %s', async (id) => {
    expect((await refusal(`/v1/scores/${id}`)).code).toBe('score_not_found');
  });
});

it('GET /v1/scores/names lists each name once, in code-unit order', async () => {
  for (const name of ['ü', 'Zeta', 'alpha', 'Zeta']) await create('named', name);
  const { data } = await client.scores.names();
  expect(data).toEqual([...new Set(data)].sort());
  expect(data).toEqual(expect.arrayContaining(['Zeta', 'alpha', 'ü']));
});

it('scores outlive a restart', async () => {
  const { data } = await create('durable', 'durable');
  await gateway.restart();
  expect((await client.scores.get({ params: { scoreId: data.id } })).data).toEqual(data);
});

it('capabilities say that scores are served', async () => {
  expect((await client.platform.capabilities()).endpoints).toMatchObject({ scores: true, score_analytics: false });
});

it('every declared answer of these routes was received', () => {
  expect(unseen('scores')).toEqual([]);
});
