/** The gateway of this machine, as a program outside of it meets it. */
import { type Client, createClient, GatewayError } from '../../shared/client.ts';
import { type OtlpPorts, otlpPorts } from '../../shared/contract/core/platform.ts';
import { addressOf, localPortOf, placeOf } from './address.ts';
import { CommandError, exitCode, type Values } from './command.ts';
import { printable } from './terminal.ts';

export interface Found {
  url: string;
  client: Client;
  version: string;
  instance: string;
  /** Where it takes OTLP beside its own port; nowhere when it does not say. */
  otlpPorts: OtlpPorts;
}

/** Who answers at an address. */
export type Answering = { kind: 'glasshouse'; gateway: Found } | { kind: 'nobody' } | { kind: 'other'; says: string };

const patienceMs = 5_000;

export async function whoAnswers(url: string): Promise<Answering> {
  try {
    const response = await fetch(`${url}/v1/capabilities`, { signal: AbortSignal.timeout(patienceMs), redirect: 'error' });
    const said: unknown = await response.json().catch(() => null);
    const { target, instance, version, otlp_ports } = (said ?? {}) as Record<string, unknown>;
    if (target === 'cloud') return { kind: 'other', says: 'a cloud gateway' };
    if (target !== 'local' || typeof instance !== 'string' || typeof version !== 'string')
      return { kind: 'other', says: `HTTP ${response.status} that is not Glasshouse's` };
    return { kind: 'glasshouse', gateway: { url, instance, version, client: clientOf(url), otlpPorts: otlpPortsIn(otlp_ports) } };
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    if (cause === 'ECONNREFUSED') return { kind: 'nobody' };
    return { kind: 'other', says: cause ?? (error instanceof Error ? error.name : 'no HTTP') };
  }
}

const otlpPortsIn = (said: unknown): OtlpPorts => otlpPorts.safeParse(said).data ?? { grpc: null, http: null };

/** @throws CommandError when no Glasshouse answers */
export async function theGateway(values: Values): Promise<Found> {
  const url = addressOf(values);
  const answering = await whoAnswers(url);
  if (answering.kind === 'glasshouse') return answering.gateway;
  throw new CommandError(exitCode.noGateway, whyNot(url, answering));
}

export function whyNot(url: string, answering: Exclude<Answering, { kind: 'glasshouse' }>): string {
  const isHere = localPortOf(url) !== null;
  if (answering.kind === 'nobody') {
    const start = isHere ? 'Start the desktop app or `npm run gateway`, or name' : 'Name';
    return `No gateway answers ${placeOf(url)}. ${start} another address with --url, --port or GLASSHOUSE_URL.`;
  }
  return `The program ${placeOf(url)} is not a local gateway (${printable(answering.says)}). Say where Glasshouse is with --url, --port or GLASSHOUSE_URL.`;
}

const clientOf = (url: string): Client =>
  createClient(async ({ method, path, body, type = 'application/json' }) => {
    const sent = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
    const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body: sent, headers: { 'Content-Type': type } }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  });

/** A refusal of the gateway is an error of the caller, in the gateway's words. */
export async function asked<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof GatewayError) throw new CommandError(exitCode.failed, printable(error.message));
    if (error instanceof TypeError) throw new CommandError(exitCode.noGateway, 'The gateway stopped answering.');
    throw error;
  }
}

export const traceLink = (url: string, traceId: string): string => `${url}/#/traces/${encodeURIComponent(traceId.toWellFormed())}`;
export const filterLink = (url: string, filter: string): string => `${url}/#/traces?filter=${encodeURIComponent(filter)}`;
