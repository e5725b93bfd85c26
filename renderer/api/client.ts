import { createClient, type Send } from '../../shared/client.ts';
import { beforeAsking } from './gateway-live.ts';

/** No answer came: the gateway is stopped, restarting, or another program holds its port. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The gateway does not answer', { cause });
    this.name = 'Unreachable';
  }
}

/** The viewer is served by the gateway it asks, also inside the desktop app, so every path is of its own origin. */
const send: Send = async ({ method, path, body, type }) => {
  const init: RequestInit = { method, headers: { accept: 'application/json' } };
  if (body !== undefined) {
    init.body = type ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    init.headers = { accept: 'application/json', 'content-type': type ?? 'application/json' };
  }
  let status: number;
  let text: string;
  await beforeAsking();
  try {
    const answer = await fetch(path, init);
    status = answer.status;
    text = await answer.text();
  } catch (cause) {
    throw new Unreachable(cause);
  }
  try {
    return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch (cause) {
    // Something else than a gateway answered: a proxy's page, or a file server that serves the viewer alone.
    throw new Unreachable(cause);
  }
};

export const gateway = createClient(send);

/** The address a program sends its spans to. */
export const gatewayOrigin = () => window.location.origin;
