import type { OtlpPorts } from '../../shared/contract/core/platform.ts';

export const standardPorts: OtlpPorts = { grpc: 4317, http: 4318 };
export const noPorts: OtlpPorts = { grpc: null, http: null };

/** Accepted values for the OTLP ports, for the error message. */
export const otlpPortsForm = 'on (4317 for OTLP/gRPC, 4318 for OTLP/HTTP), off, or two ports for gRPC and HTTP such as 14317,14318';

/** @returns null for an invalid value */
export function otlpPortsOf(text: string): OtlpPorts | null {
  if (text === 'on') return standardPorts;
  if (text === 'off') return noPorts;
  const [, grpc, http] = /^(\d{1,5}),(\d{1,5})$/.exec(text)?.map(Number) ?? [];
  if (grpc === undefined || http === undefined || Math.max(grpc, http) > 65_535) return null;
  return { grpc, http };
}
