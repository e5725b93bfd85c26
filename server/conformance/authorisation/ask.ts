/** Sends requests over persistent connections, and keeps everything of the response. */
import { type Agent, request } from 'node:http';
import type { Caller, Owner } from './caller.ts';
import type { PlannedRequest } from './requests.ts';

export interface Answer {
  status: number;
  /** Error code; null for a success. */
  code: string | null;
  required: string | null;
  /** Headers and body, without the parts that differ from request to request. */
  comparable: string;
}

const varyingHeaders = new Set(['x-request-id', 'date', 'connection', 'keep-alive']);

/** @param apps ids for the app header */
export function ask(
  agent: Agent,
  url: string,
  method: string,
  planned: PlannedRequest,
  caller: Caller,
  apps: Record<Owner, string>,
): Promise<Answer> {
  const body = planned.body === null ? null : JSON.stringify(planned.body);
  const headers: Record<string, string> = {
    ...(caller.credential === null ? {} : { authorization: caller.credential }),
    ...appHeaders(caller, apps),
    ...planned.headers,
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: planned.path, headers }, (response) => {
      const chunks: Buffer[] = [];
      const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
      const finish = () => resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString(), planned));
      if (isStream) {
        response.on('error', () => {});
        response.destroy();
        finish();
        return;
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', finish).on('error', reject);
    });
    sent.on('error', reject);
    sent.on('upgrade', ({ statusCode = 0, headers: upgradeHeaders }, socket) => {
      socket.destroy();
      resolve(answerOf(statusCode, upgradeHeaders, '', planned));
    });
    sent.end(body ?? undefined);
  });
}

function appHeaders({ names }: Caller, apps: Record<Owner, string>): Record<string, string> {
  if (names === null) return {};
  if (names === 'nonsense') return { 'x-service-app-id': 'nonsense' };
  if (names === 'two') return { 'x-service-app-id': apps.ours, 'x-alias-app-id': apps.beside };
  return { 'x-service-app-id': apps[names] };
}

function answerOf(status: number, headers: object, text: string, { path, ids }: PlannedRequest): Answer {
  const error = status >= 400 && text.startsWith('{') ? ((JSON.parse(text) as { error?: Record<string, string> }).error ?? {}) : {};
  const compared = Object.entries(headers).filter(([name]) => !varyingHeaders.has(name) && name !== 'content-length');
  // A response may repeat ids of the request.
  const comparable = [path, ...ids].reduce((rest, id) => rest.replaceAll(id, '<id>'), `${JSON.stringify(compared)} ${text}`);
  return { status, code: error['code'] ?? null, required: error['required_permission'] ?? null, comparable };
}
