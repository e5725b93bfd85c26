/** Asks over connections that stay open, and keeps everything of the answer. */
import { type Agent, request } from 'node:http';
import type { Caller, Whose } from './caller.ts';
import type { Asked } from './requests.ts';

export interface Answered {
  status: number;
  /** Of a refusal; null for anything else. */
  code: string | null;
  required: string | null;
  /** All of it that may be compared: what names the request or the moment is left out. */
  said: string;
}

const ofThisRequest = new Set(['x-request-id', 'date', 'connection', 'keep-alive']);

/** @param apps the ids that the header may name */
export function ask(
  agent: Agent,
  url: string,
  method: string,
  asked: Asked,
  caller: Caller,
  apps: Record<Whose, string>,
): Promise<Answered> {
  const body = asked.body === null ? null : JSON.stringify(asked.body);
  const headers: Record<string, string> = {
    ...(caller.credential === null ? {} : { authorization: caller.credential }),
    ...appHeaders(caller, apps),
    ...asked.headers,
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: asked.path, headers }, (response) => {
      const chunks: Buffer[] = [];
      const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
      const finish = () => resolve(answered(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString(), asked));
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
    sent.on('upgrade', ({ statusCode = 0, headers: given }, socket) => {
      socket.destroy();
      resolve(answered(statusCode, given, '', asked));
    });
    sent.end(body ?? undefined);
  });
}

function appHeaders({ names }: Caller, apps: Record<Whose, string>): Record<string, string> {
  if (names === null) return {};
  if (names === 'nonsense') return { 'x-service-app-id': 'nonsense' };
  if (names === 'two') return { 'x-service-app-id': apps.ours, 'x-alias-app-id': apps.beside };
  return { 'x-service-app-id': apps[names] };
}

function answered(status: number, headers: object, text: string, { path, ids }: Asked): Answered {
  const error = status >= 400 && text.startsWith('{') ? ((JSON.parse(text) as { error?: Record<string, string> }).error ?? {}) : {};
  const kept = Object.entries(headers).filter(([name]) => !ofThisRequest.has(name) && name !== 'content-length');
  // An answer may repeat what it was asked for.
  const said = [path, ...ids].reduce((rest, id) => rest.replaceAll(id, '<id>'), `${JSON.stringify(kept)} ${text}`);
  return { status, code: error['code'] ?? null, required: error['required_permission'] ?? null, said };
}
