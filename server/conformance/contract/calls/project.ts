/** Project files: configuration, prompts, templates and datasets. */
import type { Call, Trigger } from '../trigger.ts';

export const noConfig = 'without a configuration';
export const brokenConfig = 'with a broken configuration';
export const denied = 'with files that may not be read';
export const leadingOut = 'with a link that leads out';
export const fullDisk = 'on a full disk';

const template = (path: string) => ({ call: 'GET /v1/templates', query: `path=${path}` }) as const;
const row = { input: { q: 'owls' } };
const rows = '/v1/datasets/{datasetName}/rows' as const;
const imports = [
  { call: `POST ${rows}/from-traces`, body: { trace_ids: ['a'.repeat(32)] }, some: { trace_ids: ['a'.repeat(32), 'missing'] } },
  { call: `POST ${rows}/from-spans`, body: { span_ids: ['b'.repeat(16)] }, some: { span_ids: ['b'.repeat(16), 'missing'] } },
] as const;
const viewed = '/v1/viewer/prompts' as const;
const tree = (path: string) => ({ call: `GET ${viewed}/tree`, query: `path=${path}` }) as const;
const source = (path: string) => ({ call: `GET ${viewed}/text`, query: `path=${path}` }) as const;
const versions = { call: `GET ${viewed}/versions`, query: 'path=a.prompt.mdx' } as const;
const nowhere = 'environment=nowhere';
const undeployed = 'deployment_id=00000000-0000-4000-8000-000000000000';
const writes = [{ call: `POST ${rows}`, body: row } as const, ...imports.map(({ call, body }) => ({ call, body }))];

const reads = [{ call: 'GET /v1/prompts' } as const, { call: 'GET /v1/datasets' } as const, template('a.prompt.mdx')];
const viewedReads = [{ call: `GET ${viewed}` } as const, tree('a.prompt.mdx'), source('a.prompt.mdx')];
const configReads = ['GET /v1/config', 'GET /v1/score-configs', 'GET /v1/score-configs/{name}'] satisfies Call[];

const unavailable = { status: 503, code: 'storage_unavailable' };
const forbidden = { status: 403, code: 'forbidden' };

export const project: Trigger[] = [
  ...configReads.map((call): Trigger => ({ call, status: 200 })),
  ...configReads.map((call): Trigger => ({ call, at: brokenConfig, status: 422, code: 'invalid_project_file' })),
  { call: 'GET /v1/config', at: noConfig, status: 404, code: 'config_not_found' },
  { call: 'GET /v1/score-configs/{name}', params: { name: 'missing' }, status: 404, code: 'score_config_not_found' },

  { call: 'GET /v1/prompts', query: 'name=a', status: 200 },
  { ...template('a.prompt.mdx'), status: 200 },
  { ...template('rows.jsonl'), status: 200 },
  { ...template('rows.jsonl'), headers: { accept: 'application/x-ndjson' }, status: 200, type: 'application/x-ndjson' },
  { ...template('../a.mdx'), status: 400, code: 'invalid_query_params' },
  { ...template('missing.mdx'), status: 404, code: 'template_not_found' },
  { ...template('open.mdx'), status: 400, code: 'template_parse_error' },
  { ...template('broken.jsonl'), status: 422, code: 'invalid_project_file' },

  ...viewedReads.map((each): Trigger => ({ ...each, status: 200 })),
  { ...versions, status: 200 },
  { call: `GET ${viewed}`, query: nowhere, status: 404, code: 'environment_not_found' },
  { call: `GET ${viewed}/versions`, query: `path=a.mdx&${nowhere}`, status: 404, code: 'environment_not_found' },
  { ...tree('open.mdx'), status: 400, code: 'template_parse_error' },
  ...[tree, source].flatMap((read): Trigger[] => [
    { ...read('../a.mdx'), status: 400, code: 'invalid_query_params' },
    { ...read('missing.mdx'), status: 404, code: 'template_not_found' },
    { ...read(`a.mdx&${nowhere}`), status: 404, code: 'environment_not_found' },
    { ...read(`a.mdx&${undeployed}`), status: 404, code: 'deployment_not_found' },
  ]),

  { call: 'GET /v1/datasets', status: 200 },
  { call: `POST ${rows}`, body: row, status: 201 },
  { call: `POST ${rows}`, body: { rows: [row] }, status: 400, code: 'invalid_request_body' },
  { call: `POST ${rows}`, params: { datasetName: '../rows' }, body: row, status: 400, code: 'invalid_path_params' },
  ...imports.flatMap(({ call, body, some }): Trigger[] => [
    { call, body, status: 201 },
    { call, body: some, status: 207 },
  ]),
];

/** For projects in a folder, which others may have changed. */
export const projectOnDisk: Trigger[] = [
  { call: 'GET /v1/prompts', status: 200 },
  ...[template, tree, source].map((read): Trigger => ({ ...read('large.mdx'), status: 413, code: 'payload_too_large' })),
  ...configReads.map((call): Trigger => ({ call, at: denied, ...unavailable })),
  ...[...reads, ...viewedReads, ...writes].flatMap((each): Trigger[] => [
    { ...each, at: denied, ...unavailable },
    { ...each, at: leadingOut, ...forbidden },
  ]),
  ...writes.map((each): Trigger => ({ ...each, at: fullDisk, status: 503, code: 'storage_full' })),
];
