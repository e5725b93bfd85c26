/** The checks of `glasshouse doctor` and their findings. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import { noPorts, standardPorts } from '../entry/otlp-ports.ts';
import { version } from '../platform/version.ts';
import { localPortOf, placeOf } from './address.ts';
import { describeProbe, type ProbeResult } from './local-gateway.ts';

export interface Finding {
  /** A `warning` may be intended. */
  level: 'ok' | 'warning' | 'problem';
  check: string;
  message: string;
  /** What to do about it. */
  advice?: string;
}

/** The launcher refuses older versions of Node. */
export const versionChecks = (): Finding[] => [
  { level: 'ok', check: 'versions', message: `Glasshouse ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}` },
];

export function portChecks(url: string, probe: ProbeResult): Finding[] {
  const check = 'port';
  if (probe.kind === 'other')
    return [
      {
        level: 'problem',
        check,
        message: describeProbe(url, probe),
        advice: 'Stop that program, or start the gateway with another --port.',
      },
    ];
  if (probe.kind === 'no-answer')
    return [
      { level: 'warning', check, message: `No gateway answers ${placeOf(url)}`, advice: 'Start the desktop app, or `glasshouse start`.' },
    ];
  const { gateway } = probe;
  if (gateway.version === version) return [{ level: 'ok', check, message: `Glasshouse ${gateway.version} answers at ${gateway.url}` }];
  const message = `Glasshouse ${gateway.version} answers at ${gateway.url}; this command is ${version}`;
  return [{ level: 'warning', check, message, advice: 'Restart the gateway if it was updated meanwhile.' }];
}

const otlpNames = { grpc: 'OTLP/gRPC', http: 'OTLP/HTTP' } as const;

/** The ports that exporters send to by default. */
export function otlpPortChecks(probe: ProbeResult): Finding[] {
  if (probe.kind !== 'glasshouse') return [];
  const { otlpPorts } = probe.gateway;
  return (['grpc', 'http'] as const).map((protocol): Finding => {
    const port = otlpPorts[protocol];
    if (port === standardPorts[protocol])
      return { level: 'ok', check: 'otlp ports', message: `${otlpNames[protocol]} is received on ${port}` };
    const message = `${otlpNames[protocol]} ${port === null ? 'has no port of its own' : `is received on ${port}`}`;
    const advice = `For exporters without settings (port ${standardPorts[protocol]}): the Gateway menu of the app, or \`--otlp-ports on\`, if that port is free.`;
    return { level: 'warning', check: 'otlp ports', message, advice };
  });
}

export function folderChecks(projectDir: string): Finding[] {
  const check = 'project';
  if (!statSync(projectDir, { throwIfNoEntry: false })?.isDirectory())
    return [{ level: 'problem', check, message: `${projectDir} is not a folder`, advice: 'Choose another with --project.' }];
  const config = join(projectDir, 'agentmark.json');
  try {
    JSON.parse(readFileSync(config, 'utf8'));
    return [{ level: 'ok', check, message: `${config} can be read` }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return [{ level: 'ok', check, message: `${projectDir} has no agentmark.json, which only prompts and datasets need` }];
    const message = `${config} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return [{ level: 'problem', check, message, advice: 'Fix it: prompts, datasets and score definitions are read from it.' }];
  }
}

/** Settings of this shell that send the spans of its programs elsewhere. */
export function environmentChecks(environment: NodeJS.ProcessEnv, gateway: string, otlpPorts: OtlpPorts = noPorts): Finding[] {
  const check = 'environment';
  const warn = (message: string, advice: string): Finding => ({ level: 'warning', check, message, advice });
  const findings: Finding[] = [];
  const isGrpc = environment['OTEL_EXPORTER_OTLP_PROTOCOL']?.includes('grpc') === true;
  const ports = isGrpc ? [otlpPorts.grpc] : [localPortOf(new URL(gateway).origin), otlpPorts.http];
  let isSet = false;
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    const value = environment[name];
    isSet ||= value !== undefined;
    if (value !== undefined && !pointsToGateway(value, isGrpc ? null : gateway, ports))
      findings.push(warn(`${name} is ${value}`, `Unset it, or use \`glasshouse run\`.`));
  }
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true')
    findings.push(warn('OTEL_SDK_DISABLED is true: no spans are created', 'Unset it.'));
  if (isGrpc && !isSet && otlpPorts.grpc !== standardPorts.grpc) {
    const message = `OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and the gateway does not listen on ${standardPorts.grpc}`;
    findings.push(warn(message, 'Set it to http/protobuf, or let the gateway take the standard ports too.'));
  }
  return findings.length > 0 ? findings : [{ level: 'ok', check, message: 'Nothing in this shell sends spans elsewhere' }];
}

/** Accepts any name of this machine and any path. */
function pointsToGateway(value: string, gateway: string | null, ports: readonly (number | null)[]): boolean {
  const origin = URL.parse(value)?.origin;
  if (origin === undefined) return false;
  const port = localPortOf(origin);
  return (gateway !== null && origin === new URL(gateway).origin) || (port !== null && ports.includes(port));
}
