/** Sends a provocation as it is: foreign Host headers, broken escapes and bodies that never come, which `fetch` would not. */
import { request } from 'node:http';
import type { Place, Provocation } from './provocation.ts';

export interface Given {
  status: number;
  /** Lower case, without parameters; '' when absent. */
  type: string;
  body: Buffer;
}

export function send(place: Place, provocation: Provocation): Promise<Given> {
  const { body, announced, headers = {}, meanwhile } = provocation;
  const bytes = body === undefined ? null : bytesOf(place, body);
  const length = announced ?? bytes?.length;
  const type = bytes || announced ? { 'content-type': 'application/json' } : {};
  const { hostname, port } = new URL(place.url);
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ hostname, port, path: targetOf(place, provocation), agent: false },
      method: provocation.call.split(' ')[0],
      headers: { ...type, ...(length === undefined ? {} : { 'content-length': length }), ...place.headers, ...filled(place, headers) },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      const given = () => ({
        status: response.statusCode ?? 0,
        type: (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
        body: Buffer.concat(chunks),
      });
      const finish = () => {
        asked.removeListener('error', reject).on('error', () => {});
        asked.destroy();
        resolve(given());
      };
      const isStream = given().type === 'text/event-stream';
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (isStream && /^data: .*\n\n/m.test(given().body.toString())) finish();
      });
      response.on('end', finish).on('error', reject);
      if (isStream && meanwhile) send(place, meanwhile).catch(reject);
    });
    // A body that is announced and never comes must not keep the answer from coming.
    if (announced === undefined) asked.end(bytes ?? undefined);
    else asked.flushHeaders();
  });
}

function bytesOf(place: Place, body: object | string): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? String(inBody(place, body)) : JSON.stringify(body, (_, value) => inBody(place, value)));
}

/** A value that is nothing but the name of a record stands for it. */
const inBody = (place: Place, value: unknown): unknown =>
  typeof value === 'string' && /^\{\w+\}$/.test(value) ? fillIn(place, value) : value;

const fillIn = ({ records }: Place, text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => records[name] ?? 'x');

const filled = (place: Place, headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillIn(place, value)]));

function targetOf(place: Place, { call, params = {}, query }: Provocation): string {
  const { records } = place;
  const fill = (text: string) => fillIn(place, text);
  const path = (call.split(' ')[1] as string).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return value === undefined ? encodeURIComponent(records[name] ?? 'x') : encoded(fill(value));
  });
  return query === undefined ? path : `${path}?${fill(query)}`;
}

/** What is no encoding of anything is meant to be none. */
const encoded = (value: string): string => (value.startsWith('%') ? value : encodeURIComponent(value));
