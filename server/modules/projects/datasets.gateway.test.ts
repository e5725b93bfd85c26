import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { contractClient } from '../../fixtures/contract-client.ts';
import { aProject } from '../../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const project = aProject({
  'service.json': '{}',
  'agentmark/qa/data.jsonl': '\ufeff{"input":1}\r\n\r\n{"input":2}',
  'agentmark/data.jsonl': '',
  'agentmark/blocked': 'a file',
});
let gateway: TestGateway;
const { client, fetch, refusal, unseen } = contractClient(() => gateway);

const traceId = 'e1'.repeat(16);
const spanId = 'e2'.repeat(8);
const long = 'long '.repeat(5_000);

beforeAll(async () => {
  gateway = await startTestGateway({ projectDir: project.root });
  const attributes = { 'agentmark.props': '{"q":"owls"}', 'agentmark.output': '{"items":[{"x":7}]}', 'agentmark.metadata.team': 'a' };
  const spans = [
    aSpan({ traceId, spanId, name: 'root', attributes }),
    aChat({ traceId: 'e3'.repeat(16), spanId: 'e4'.repeat(8), reply: long }),
    aSpan({ traceId: 'e5'.repeat(16), spanId: 'e6'.repeat(8), name: 'silent' }),
  ];
  expect((await gateway.ingest(aRequest(spans))).status).toBe(200);
});

afterAll(async () => {
  await gateway.stop();
  project.remove();
});

const textOf = (name: string) => readFileSync(join(project.root, 'agentmark', `${name}.jsonl`), 'utf8');
const rowsOf = (name: string) =>
  textOf(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const post = (path: string, body: unknown) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

describe('GET /v1/datasets', () => {
  it('lists the datasets under the templates folder, with their row counts', async () => {
    const created_at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await client.datasets.list({ query: {} })).toEqual({
      data: [
        { name: 'data.jsonl', row_count: 0, created_at },
        { name: 'qa/data.jsonl', row_count: 2, created_at },
      ],
      pagination: { limit: 50, offset: 0, total: 2 },
    });
    const countOf = async (name: string) => (await client.datasets.list({ query: { name } })).pagination.total;
    expect(await Promise.all(['data', 'Data', 'dat', 'data.jsonl', 'qa/data'].map(countOf))).toEqual([2, 0, 0, 0, 0]);
    expect(await refusal('/v1/datasets?limit=0')).toMatchObject({ code: 'invalid_query_params' });
  });
});

describe('POST /v1/datasets/{name}/rows', () => {
  it('appends after a line without a line break, in a nested folder named by %2F', async () => {
    const params = { datasetName: 'qa/data' };
    expect(await client.datasets.append({ params, body: { input: { q: 1 }, metadata: { a: [1] } } })).toEqual({ data: { line_number: 2 } });
    expect(await client.datasets.append({ params: { datasetName: 'qa/data.jsonl' }, body: { input: null } })).toEqual({
      data: { line_number: 3 },
    });
    expect(textOf('qa/data')).toBe(
      '\ufeff{"input":1}\r\n\r\n{"input":2}\n{"input":{"q":1},"expected_output":null,"metadata":{"a":[1]}}\n{"input":null,"expected_output":null,"metadata":{}}\n',
    );
    expect((await client.datasets.list({ query: { name: 'data' } })).data[1]).toMatchObject({ row_count: 4 });
  });

  it('fifty at once lose nothing, and every row has its own number', async () => {
    const params = { datasetName: 'new/folder/many' };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => client.datasets.append({ params, body: { input: index } })));
    const numbers = answers.map(({ data }) => data.line_number);
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    const rows = rowsOf('new/folder/many');
    expect(rows).toHaveLength(50);
    for (const [index, number] of numbers.entries()) expect(rows[number]).toMatchObject({ input: index });
  });

  it.each([{}, { expected_output: 1 }, { input: 1, extra: 1 }, { row: { input: 1 } }, { input: 1, metadata: [] }, [1], null])(
    '%j is not a row',
    async (body) => {
      expect((await post('/v1/datasets/data/rows', body)).status).toBe(400);
      expect(textOf('data')).toBe('');
    },
  );

  it.each([
    '..%2fx',
    '%252e%252e%2fx',
    'a%2f%2fb',
    '%2fetc%2fx',
    'a%5Cb',
    'con',
    'x%00',
    'x.',
    '%20',
    '.jsonl',
    'blocked%2fx',
    'x'.repeat(201),
  ])('%s is not a dataset name', async (name) => {
    for (const [end, body] of [
      ['', { input: 1 }],
      ['/from-traces', { trace_ids: ['x'] }],
      ['/from-spans', { span_ids: ['x'] }],
    ] as const) {
      const response = await post(`/v1/datasets/${name}/rows${end}`, body);
      if (name === 'blocked%2fx' && end !== '') continue;
      expect(await response.json(), end).toMatchObject({ error: { code: 'invalid_path_params' } });
    }
  });

  it('a row that is too large is refused', async () => {
    const response = await post('/v1/datasets/data/rows', { input: 'x'.repeat(5 * 1024 * 1024) });
    expect(response.status).toBe(413);
  });
});

describe('POST /v1/datasets/{name}/rows/from-…', () => {
  it('a trace becomes a row with its variables and its output', async () => {
    const params = { datasetName: 'imported' };
    expect(await client.datasets.importTraces({ params, body: { trace_ids: [traceId, traceId] } })).toEqual({
      data: {
        added: 2,
        results: [
          { source_id: traceId, status: 'created', line_number: 0 },
          { source_id: traceId, status: 'created', line_number: 1 },
        ],
      },
    });
    expect(rowsOf('imported')[1]).toEqual({ input: { q: 'owls' }, expected_output: { items: [{ x: 7 }] }, metadata: {} });
  });

  it('a mapping takes the values that its paths name, and long values are not shortened', async () => {
    const params = { datasetName: 'mapped' };
    const metadata = { name: '$.spans[0].name', team: '$.metadata.team', none: '$.nothing.here', proto: '$.constructor.name' };
    const mapping = { input: '$.output.items[0].x', expected_output: '$.missing', metadata };
    await client.datasets.importTraces({ params, body: { trace_ids: [traceId], mapping } });
    expect(rowsOf('mapped')[0]).toEqual({ input: 7, expected_output: null, metadata: { name: 'root', team: 'a' } });
    const wholeMapping = { input: '$.name', expected_output: '$.output' };
    const spans = await client.datasets.importSpans({ params, body: { span_ids: ['e4'.repeat(8), spanId], mapping: wholeMapping } });
    expect(spans.data.results.map(({ status }) => status)).toEqual(['created', 'created']);
    expect(rowsOf('mapped')[1].expected_output.length).toBeGreaterThan(20_000);
  });

  it('a span is found by every spelling of its id', async () => {
    const span_ids = ['ABCDEF0123456789', 'q83vASNFZ4k=', 'Span-ABC'];
    const traceId = 'e7'.repeat(16);
    await gateway.ingest(aRequest([aSpan({ traceId, spanId: 'abcdef0123456789' }), aSpan({ traceId, spanId: 'Span-ABC' })]));
    const body = { span_ids, mapping: { input: '$.id' } };
    const { data } = await client.datasets.importSpans({ params: { datasetName: 'spelled' }, body });
    expect(data).toMatchObject({ added: 3, results: span_ids.map((source_id) => ({ source_id, status: 'created' })) });
    expect(rowsOf('spelled').map(({ input }: { input: string }) => input)).toEqual(['abcdef0123456789', 'abcdef0123456789', 'Span-ABC']);
  });

  it('failures are reported one by one, with 207 even when all failed, and leave no file behind', async () => {
    const body = { trace_ids: ['ab'.repeat(16), 'e5'.repeat(16)] };
    const response = await post('/v1/datasets/failed/rows/from-traces', body);
    expect(response.status).toBe(207);
    expect(await response.json()).toEqual({
      data: {
        added: 0,
        results: [
          { source_id: body.trace_ids[0], status: 'failed', error: 'Source not found' },
          { source_id: body.trace_ids[1], status: 'failed', error: 'Nothing at $.input' },
        ],
      },
    });
    expect(() => textOf('failed')).toThrow(/ENOENT/);
    const partial = await post('/v1/datasets/part/rows/from-spans', { span_ids: ['nobody', spanId], mapping: { input: '$.id' } });
    expect(partial.status).toBe(207);
    expect(rowsOf('part')).toEqual([{ input: spanId, expected_output: { items: [{ x: 7 }] }, metadata: {} }]);
    const path = await post('/v1/datasets/part/rows/from-spans', { span_ids: [spanId], mapping: { input: 'output' } });
    expect(await path.json()).toMatchObject({ data: { added: 0 } });
    for (const span_ids of [[], Array(101).fill('x'), [''], 'x'])
      expect((await post('/v1/datasets/part/rows/from-spans', { span_ids })).status).toBe(400);
  });
});

it('every declared answer of these routes was received', () => {
  // A full or read-only disk cannot be simulated as root.
  expect(unseen('datasets').filter((pair) => !/storage_(full|unavailable)$/.test(pair))).toEqual([]);
});
