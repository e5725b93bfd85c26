/** Default ports of exporters: 4317 for OTLP/gRPC, 4318 for OTLP/HTTP. They serve ingest only, behind the same guard: no reads, no viewer. */
import type { RequestListener } from 'node:http';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import { answerFailure } from '../app/answer.ts';
import { Failure } from '../app/fail.ts';
import type { Gateway } from '../app/gateway.ts';
import { GrpcListener } from '../app/grpc/grpc-listener.ts';
import type { CallGuard, Guard } from '../app/guard.ts';
import { HttpListener } from '../app/http-listener.ts';
import type { Shares } from '../app/shares.ts';
import type { Log } from '../platform/log.ts';

/** A port that could not be opened. */
export interface PortTaken {
  protocol: keyof OtlpPorts;
  port: number;
  /** Error code of the system: EADDRINUSE. */
  code: string;
}

export interface StandardPortsParts {
  guardOf(ports: () => number[]): Guard;
  callGuardOf(ports: () => number[]): CallGuard;
  gateway: Pick<Gateway, 'listener' | 'calls'>;
  log: Log;
  shares: Shares;
  /** The first is required; the others are used if this machine has such addresses. */
  hosts: readonly [string, ...string[]];
}

const otlpPaths = new Set(['/v1/traces', '/v1/logs', '/v1/metrics']);
/** Error codes for an address that this machine does not have. */
const noSuchAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

const onlyIngest =
  (application: RequestListener, log: Log): RequestListener =>
  (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const isIngest = otlpPaths.has(path) && (request.method === 'POST' || request.method === 'OPTIONS');
    if (isIngest) application(request, response);
    else answerFailure(request, response, null, new Failure('not_found', 'This port only takes OTLP'), log);
  };

export class StandardPorts {
  readonly #parts: StandardPortsParts;
  #http: HttpListener | null = null;
  #grpc: GrpcListener | null = null;
  /** Changes are serialised. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(parts: StandardPortsParts) {
    this.#parts = parts;
  }

  /** Open ports. */
  get open(): OtlpPorts {
    return { grpc: this.#grpc?.port ?? null, http: this.#http?.port ?? null };
  }

  /** Listens on these ports instead of the previous ones: 0 for any free port, null for none. @returns those that are taken */
  listen(ports: OtlpPorts): Promise<PortTaken[]> {
    const listening = this.#lastChange.then(() => this.#listen(ports));
    this.#lastChange = listening.catch(() => {});
    return listening;
  }

  async #listen({ grpc, http }: OtlpPorts): Promise<PortTaken[]> {
    await this.close();
    const { guardOf, callGuardOf, gateway, log, shares } = this.#parts;
    const taken: PortTaken[] = [];
    if (grpc !== null) {
      this.#grpc = await this.#tryOpen(new GrpcListener(callGuardOf, shares), 'grpc', grpc, taken);
      this.#grpc?.open(gateway.calls);
    }
    if (http !== null) {
      this.#http = await this.#tryOpen(new HttpListener(guardOf, shares), 'http', http, taken);
      this.#http?.open(onlyIngest(gateway.listener, log));
    }
    return taken;
  }

  async #tryOpen<F extends HttpListener | GrpcListener>(
    listener: F,
    protocol: keyof OtlpPorts,
    port: number,
    taken: PortTaken[],
  ): Promise<F | null> {
    const [first, ...others] = this.#parts.hosts;
    try {
      await listener.listen(first, port);
      for (const host of others) await listener.listen(host, listener.port).catch(unlessMissing);
      return listener;
    } catch (error) {
      await listener.close();
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall !== 'listen' || code === undefined) throw error;
      taken.push({ protocol, port, code });
      return null;
    }
  }

  refuseNewWork(): void {
    this.#http?.refuseNewWork();
    this.#grpc?.refuseNewWork();
  }

  /** Resolves when every gRPC call is answered: ingest does not count a call before its message has arrived. */
  async answered(): Promise<void> {
    await this.#grpc?.answered();
  }

  working(): number {
    return (this.#http?.working() ?? 0) + (this.#grpc?.working() ?? 0);
  }

  async close(): Promise<void> {
    const listeners = [this.#http, this.#grpc];
    this.#http = null;
    this.#grpc = null;
    await Promise.all(listeners.map((listener) => listener?.close()));
  }
}

/** Exporters to `localhost` may try ::1 first, where another program would receive the data. */
function unlessMissing(error: NodeJS.ErrnoException): void {
  if (!noSuchAddress.has(error.code ?? '')) throw error;
}

const names = { grpc: 'OTLP/gRPC', http: 'OTLP/HTTP' } as const;

/** Startup message about the ports; nothing when none were requested. */
export function portsMessage(taken: readonly PortTaken[], { grpc, http }: OtlpPorts): string {
  const open = [grpc === null ? [] : `${names.grpc} on ${grpc}`, http === null ? [] : `${names.http} on ${http}`].flat();
  const sentences = [...(open.length > 0 ? [`It also accepts ${open.join(' and ')}.`] : []), ...taken.map(takenMessage)];
  return sentences.length > 0 ? `${sentences.join(' ')}\n` : '';
}

/** Message about a port that could not be opened. */
export const takenMessage = ({ protocol, port, code }: PortTaken): string => `Port ${port} for ${names[protocol]} ${whyTaken(code)}.`;

const whyTaken = (code: string): string => (code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code})`);
