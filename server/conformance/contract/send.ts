/** Sends a trigger unchanged: `fetch` cannot send foreign Host headers, invalid escapes or incomplete bodies. */
import { request } from 'node:http';
import type { GatewayFixture, Trigger } from './trigger.ts';

export interface Response {
  status: number;
  /** Lower case, without parameters; '' when absent. */
  type: string;
  body: Buffer;
}

export function send(fixture: GatewayFixture, trigger: Trigger): Promise<Response> {
  const { body, announced, headers = {}, meanwhile } = trigger;
  const bytes = body === undefined ? null : bytesOf(fixture, body);
  const length = announced ?? bytes?.length;
  const type = bytes || announced ? { 'content-type': 'application/json' } : {};
  const { hostname, port } = new URL(fixture.url);
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ hostname, port, path: targetOf(fixture, trigger), agent: false },
      method: trigger.call.split(' ')[0],
      headers: {
        ...type,
        ...(length === undefined ? {} : { 'content-length': length }),
        ...fixture.headers,
        ...fillHeaders(fixture, headers),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      const received = () => ({
        status: response.statusCode ?? 0,
        type: (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
        body: Buffer.concat(chunks),
      });
      const finish = () => {
        sent.removeListener('error', reject).on('error', () => {});
        sent.destroy();
        resolve(received());
      };
      const isStream = received().type === 'text/event-stream';
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (isStream && /^data: .*\n\n/m.test(received().body.toString())) finish();
      });
      response.on('end', finish).on('error', reject);
      if (isStream && meanwhile) send(fixture, meanwhile).catch(reject);
    });
    // The response must arrive although the announced body never does.
    if (announced === undefined) sent.end(bytes ?? undefined);
    else sent.flushHeaders();
  });
}

function bytesOf(fixture: GatewayFixture, body: object | string): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? String(inBody(fixture, body)) : JSON.stringify(body, (_, value) => inBody(fixture, value)));
}

/** Replaces a value that is the name of a record. */
const inBody = (fixture: GatewayFixture, value: unknown): unknown =>
  typeof value === 'string' && /^\{\w+\}$/.test(value) ? fillIn(fixture, value) : value;

const fillIn = ({ records }: GatewayFixture, text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => records[name] ?? 'x');

const fillHeaders = (fixture: GatewayFixture, headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillIn(fixture, value)]));

function targetOf(fixture: GatewayFixture, { call, params = {}, query }: Trigger): string {
  const { records } = fixture;
  const fill = (text: string) => fillIn(fixture, text);
  const path = (call.split(' ')[1] as string).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return value === undefined ? encodeURIComponent(records[name] ?? 'x') : encoded(fill(value));
  });
  return query === undefined ? path : `${path}?${fill(query)}`;
}

/** Invalid escapes are sent as they are. */
const encoded = (value: string): string => (value.startsWith('%') ? value : encodeURIComponent(value));
