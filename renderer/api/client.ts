import { type ClientRequest, type ClientResponse, createClient, type Send } from '../../shared/client.ts';
import { beforeRequest } from './gateway-live.ts';
import { identityHeaders } from './identity.ts';
import { reportRefused } from './refusal-listeners.ts';

/** No answer: the gateway is stopped, restarting, or another program has its port. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The gateway does not answer', { cause });
    this.name = 'Unreachable';
  }
}

/** The gateway serves the viewer, also in the desktop app, so all paths are relative to its origin. */
export const sendWith = async (
  extraHeaders: Record<string, string>,
  { method, path, body, type }: ClientRequest,
): Promise<ClientResponse> => {
  const headers: Record<string, string> = { accept: 'application/json', ...identityHeaders(), ...extraHeaders };
  const init: RequestInit = { method, headers };
  if (body !== undefined) {
    init.body = type ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    headers['content-type'] = type ?? 'application/json';
  }
  let status: number;
  let text: string;
  try {
    const response = await fetch(path, init);
    status = response.status;
    text = await response.text();
  } catch (cause) {
    throw new Unreachable(cause);
  }
  try {
    return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch (cause) {
    // Not a gateway: a proxy's error page, or a file server that serves only the viewer.
    throw new Unreachable(cause);
  }
};

const send =
  (extraHeaders: Record<string, string> = {}): Send =>
  async (request) => {
    await beforeRequest();
    const response = await sendWith(extraHeaders, request);
    if (response.status === 401) reportRefused();
    return response;
  };

export const gateway = createClient(send());

/** Client for an app of the team other than the selected one. */
export const gatewayForApp = (appId: string) => createClient(send({ 'x-service-app-id': appId }));

/** Client for sign-in. It neither waits for the live stream nor reports refusals. */
export const signInClient = createClient((request) => sendWith({}, request));

/** The URL that programs send their spans to. */
export const gatewayOrigin = () => window.location.origin;
