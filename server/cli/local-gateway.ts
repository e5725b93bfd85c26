/** Finds the gateway and talks to it from a separate process. */
import { type Client, createClient, GatewayError } from '../../shared/client.ts';
import { type OtlpPorts, otlpPorts } from '../../shared/contract/core/platform.ts';
import { addressOf, localPortOf, placeOf } from './address.ts';
import { CommandError, exitCode, type Values } from './command.ts';
import { printable } from './terminal.ts';

export interface GatewayInfo {
  url: string;
  client: Client;
  version: string;
  instance: string;
  /** Its ports for OTLP only; null where it reports none. */
  otlpPorts: OtlpPorts;
}

/** What answers at an address. */
export type ProbeResult =
  | { kind: 'glasshouse'; gateway: GatewayInfo }
  | { kind: 'no-answer' }
  | { kind: 'other'; description: string; isCloud: boolean };

const timeoutMs = 5_000;

export async function probeGateway(url: string): Promise<ProbeResult> {
  try {
    const response = await fetch(`${url}/v1/capabilities`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    const body: unknown = await response.json().catch(() => null);
    const { target, instance, version, otlp_ports } = (body ?? {}) as Record<string, unknown>;
    if (target === 'cloud') return { kind: 'other', description: 'a cloud gateway', isCloud: true };
    if (target !== 'local' || typeof instance !== 'string' || typeof version !== 'string')
      return { kind: 'other', description: `HTTP ${response.status}, but not from Glasshouse`, isCloud: false };
    return { kind: 'glasshouse', gateway: { url, instance, version, client: clientOf(url), otlpPorts: otlpPortsIn(otlp_ports) } };
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    if (cause === 'ECONNREFUSED') return { kind: 'no-answer' };
    return { kind: 'other', description: cause ?? (error instanceof Error ? error.name : 'no HTTP'), isCloud: false };
  }
}

const otlpPortsIn = (value: unknown): OtlpPorts => otlpPorts.safeParse(value).data ?? { grpc: null, http: null };

/** @throws CommandError when no Glasshouse answers */
export async function requireGateway(values: Values): Promise<GatewayInfo> {
  const url = addressOf(values);
  const probe = await probeGateway(url);
  if (probe.kind === 'glasshouse') return probe.gateway;
  throw new CommandError(exitCode.noGateway, describeProbe(url, probe));
}

export function describeProbe(url: string, probe: Exclude<ProbeResult, { kind: 'glasshouse' }>): string {
  const isHere = localPortOf(url) !== null;
  if (probe.kind === 'no-answer') {
    const start = isHere ? 'Start the desktop app or `glasshouse start`, or give' : 'Give';
    return `No gateway answers ${placeOf(url)}. ${start} another address with --url, --port or GLASSHOUSE_URL.`;
  }
  return `The program ${placeOf(url)} is not a local gateway (${printable(probe.description)}). Give the address of Glasshouse with --url, --port or GLASSHOUSE_URL.`;
}

const clientOf = (url: string): Client =>
  createClient(async ({ method, path, body, type = 'application/json' }) => {
    const payload = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
    const response = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { body: payload, headers: { 'Content-Type': type } }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  });

/** Turns an error answer of the gateway into a CommandError with the gateway's message. */
export async function withCommandErrors<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof GatewayError) throw new CommandError(exitCode.failed, printable(error.message));
    if (error instanceof TypeError) throw new CommandError(exitCode.noGateway, 'The gateway stopped answering.');
    throw error;
  }
}
