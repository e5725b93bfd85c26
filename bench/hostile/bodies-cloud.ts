/** Requests to a cloud in `bodies.scenario.ts`: decompression bombs to every route that accepts JSON, and eval trials of the maximum size. */
import { gzipSync } from 'node:zlib';
import type { Bootstrapped } from '../../server/entry/bootstrap.ts';
import { bodyLimits } from '../../shared/contract/core/body-limit.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { HttpClient } from '../gateway/http-client.ts';
import type { RepeatedRequest } from './send-requests.ts';

const routes: Route[] = Object.values(contract).flatMap((group) => Object.values<Route>(group));
const json = { 'content-type': 'application/json' };
const full = (open: string, item: string, close: string) => {
  const available = bodyLimits.maximum - open.length - close.length - item.length;
  return open + `${item},`.repeat(available / (item.length + 1)) + item + close;
};

/** Ten megabytes each, a few kilobytes as gzip. */
const bombs: Record<string, string> = {
  objects: full('[', '{"a":0}', ']'),
  numbers: full('[', '0', ']'),
  texts: full('[', '""', ']'),
  blanks: `${' '.repeat(bodyLimits.maximum - 2)}{}`,
};

/** A path that passes validation. */
const pathOf = ({ path }: Route) => path.replace(/:\w*[iI]d\b/g, '00000000-0000-4000-8000-000000000000').replace(/:\w+/g, 'a');

/** @param times how often each route gets each bomb @param key null for the public routes */
export function bombRequests(times: number, key: Bootstrapped | null): RepeatedRequest[] {
  const targets = routes.filter(
    ({ body, wire, only, permission, credential }) =>
      body && wire !== 'otlp' && only !== 'local' && credential !== 'session' && (permission === 'public') === (key === null),
  );
  const credentials = key ? { authorization: key.api_key, 'x-service-app-id': key.app_id } : {};
  const compressed = Object.values(bombs).map((text) => gzipSync(text));
  return compressed.flatMap((body) =>
    targets.map((route): RepeatedRequest => {
      const headers = { ...json, ...credentials, 'content-encoding': 'gzip' };
      return { method: route.method, path: pathOf(route), headers, body, times };
    }),
  );
}

/** Requests of 9 MB to an eval run that is created here. */
export async function trialRequests(
  url: string,
  { api_key, app_id }: Bootstrapped,
  times: number,
  trials = 350,
): Promise<RepeatedRequest[]> {
  const headers = { ...json, authorization: api_key, 'x-service-app-id': app_id };
  const client = new HttpClient(url, 1);
  const { body } = await client.send('POST', '/v1/evals/runs', headers, Buffer.from('{}'));
  client.close();
  const { id } = (JSON.parse(body.toString()) as { data: { id: string } }).data;
  const text = (index: number, length: number) => `${index} is what the agent said. `.repeat(length / 25).slice(0, length);
  return Array.from({ length: times }, (_, part) => {
    const items = Array.from({ length: trials }, (_, index) => ({
      ...{ task_id: `task-${part}-${index}`, status: 'failed', error: text(index, 9_900) },
      metadata: Object.fromEntries(Array.from({ length: 60 }, (_, key) => [`note ${key}`, text(key, 240)])),
    }));
    return { method: 'POST', path: `/v1/evals/runs/${id}/trials`, headers, body: Buffer.from(JSON.stringify({ trials: items })), times: 1 };
  });
}

/** Sessions of 9 MB with a thousand events. */
export function sessionRequests({ api_key, app_id }: Bootstrapped, times: number): RepeatedRequest[] {
  const headers = { ...json, authorization: api_key, 'x-service-app-id': app_id };
  const at = '2026-01-15T10:30:00.000Z';
  return Array.from({ length: times }, (_, part) => {
    const events = Array.from({ length: 1000 }, (_, seq) => ({
      ...{
        seq,
        type: seq % 2 === 0 ? 'tool_call' : 'tool_result',
        timestamp: at,
        tool_call_id: `${Math.floor(seq / 2)}`,
        tool_name: 'bash',
      },
      ...(seq % 2 === 0
        ? { input: { command: 'ls -la '.repeat(300) } }
        : { output: { lines: Array(60).fill('a line of output '.repeat(15)) } }),
    }));
    const body = Buffer.from(JSON.stringify({ session_id: `session-${part}`, agent: 'claude_code', started_at: at, events }));
    return { method: 'POST', path: '/v1/agents/sessions', headers, body, times: 1 };
  });
}
