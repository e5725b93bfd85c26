import { type Answered, createClient, type Send, type Sent } from '../../shared/client.ts';
import { beforeAsking } from './gateway-live.ts';
import { identityHeaders } from './identity.ts';
import { noteRefused } from './refused.ts';

/** No answer: the gateway is stopped, restarting, or another program has its port. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The gateway does not answer', { cause });
    this.name = 'Unreachable';
  }
}

/** The gateway serves the viewer, also in the desktop app, so all paths are relative to its origin. */
const sendWith = async (own: Record<string, string>, { method, path, body, type }: Sent): Promise<Answered> => {
  const headers: Record<string, string> = { accept: 'application/json', ...identityHeaders(), ...own };
  const init: RequestInit = { method, headers };
  if (body !== undefined) {
    init.body = type ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    headers['content-type'] = type ?? 'application/json';
  }
  let status: number;
  let text: string;
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

const send =
  (own: Record<string, string> = {}): Send =>
  async (request) => {
    await beforeAsking();
    const answer = await sendWith(own, request);
    if (answer.status === 401) noteRefused();
    return answer;
  };

export const gateway = createClient(send());

/** Client for another app of the team than the selected one. */
export const gatewayAbout = (appId: string) => createClient(send({ 'x-service-app-id': appId }));

/** Client for sign-in. It neither waits for the live stream nor reports refusals. */
export const doorway = createClient((request) => sendWith({}, request));

/** The address a program sends its spans to. */
export const gatewayOrigin = () => window.location.origin;
