/** What a cloud is sent in `bodies.scenario.ts`: bombs to every route that takes JSON, and eval trials as large as they may be. */
import { gzipSync } from 'node:zlib';
import type { Bootstrapped } from '../../server/entry/bootstrap.ts';
import { bodyLimits } from '../../shared/contract/core/body-limit.ts';
import type { Route } from '../../shared/contract/core/route.ts';
import { contract } from '../../shared/contract/index.ts';
import { HttpClient } from '../gateway/http-client.ts';
import type { Ask } from './send-asks.ts';

const routes: Route[] = Object.values(contract).flatMap((group) => Object.values<Route>(group));
const json = { 'content-type': 'application/json' };
const full = (open: string, item: string, close: string) => {
  const room = bodyLimits.maximum - open.length - close.length - item.length;
  return open + `${item},`.repeat(room / (item.length + 1)) + item + close;
};

/** Ten megabytes each, and some kilobytes of gzip. */
const bombs: Record<string, string> = {
  objects: full('[', '{"a":0}', ']'),
  numbers: full('[', '0', ']'),
  texts: full('[', '""', ']'),
  blanks: `${' '.repeat(bodyLimits.maximum - 2)}{}`,
};

/** A valid path, as far as validation looks at it. */
const pathOf = ({ path }: Route) => path.replace(/:\w*[iI]d\b/g, '00000000-0000-4000-8000-000000000000').replace(/:\w+/g, 'a');

/** @param key null for those that anybody may ask; each route gets every form so often */
export function bombAsks(times: number, key: Bootstrapped | null): Ask[] {
  const asked = routes.filter(
    ({ body, wire, only, permission, credential }) =>
      body && wire !== 'otlp' && only !== 'local' && credential !== 'session' && (permission === 'public') === (key === null),
  );
  const credentials = key ? { authorization: key.api_key, 'x-service-app-id': key.app_id } : {};
  const packed = Object.values(bombs).map((text) => gzipSync(text));
  return packed.flatMap((body) =>
    asked.map((route): Ask => {
      const headers = { ...json, ...credentials, 'content-encoding': 'gzip' };
      return { method: route.method, path: pathOf(route), headers, body, times };
    }),
  );
}

/** Posts of 9 MB to a run that is made here. */
export async function trialAsks(url: string, { api_key, app_id }: Bootstrapped, times: number, trials = 350): Promise<Ask[]> {
  const headers = { ...json, authorization: api_key, 'x-service-app-id': app_id };
  const client = new HttpClient(url, 1);
  const { body } = await client.send('POST', '/v1/evals/runs', headers, Buffer.from('{}'));
  client.close();
  const { id } = (JSON.parse(body.toString()) as { data: { id: string } }).data;
  const text = (index: number, length: number) => `${index} is what the agent said. `.repeat(length / 25).slice(0, length);
  return Array.from({ length: times }, (_, part) => {
    const sent = Array.from({ length: trials }, (_, index) => ({
      ...{ task_id: `task-${part}-${index}`, status: 'failed', error: text(index, 9_900) },
      metadata: Object.fromEntries(Array.from({ length: 60 }, (_, key) => [`note ${key}`, text(key, 240)])),
    }));
    return { method: 'POST', path: `/v1/evals/runs/${id}/trials`, headers, body: Buffer.from(JSON.stringify({ trials: sent })), times: 1 };
  });
}

/** Sessions of 9 MB: a thousand events and a picture. */
export function sessionAsks({ api_key, app_id }: Bootstrapped, times: number): Ask[] {
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
