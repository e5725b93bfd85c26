/** What `glasshouse doctor` looks at, and what it thinks of it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import { noPorts, standardPorts } from '../entry/otlp-ports.ts';
import { version } from '../platform/version.ts';
import { localPortOf, placeOf } from './address.ts';
import { type Answering, whyNot } from './local-gateway.ts';

export interface Judged {
  /** `odd` may be meant so. */
  how: 'good' | 'odd' | 'bad';
  what: string;
  says: string;
  /** What to do about it. */
  todo?: string;
}

/** The bin lets no older Node come this far. */
export const versionChecks = (): Judged[] => [
  { how: 'good', what: 'versions', says: `Glasshouse ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}` },
];

export function portChecks(url: string, answering: Answering): Judged[] {
  const what = 'port';
  if (answering.kind === 'other')
    return [{ how: 'bad', what, says: whyNot(url, answering), todo: 'Stop that program, or start the gateway with another --port.' }];
  if (answering.kind === 'nobody')
    return [{ how: 'odd', what, says: `Nobody answers ${placeOf(url)}`, todo: 'Start the desktop app, or `npm run gateway`.' }];
  const { gateway } = answering;
  if (gateway.version === version) return [{ how: 'good', what, says: `Glasshouse ${gateway.version} answers at ${gateway.url}` }];
  const says = `Glasshouse ${gateway.version} answers at ${gateway.url}; this command is ${version}`;
  return [{ how: 'odd', what, says, todo: 'Restart the gateway if it was updated meanwhile.' }];
}

const otlpNames = { grpc: 'OTLP/gRPC', http: 'OTLP/HTTP' } as const;

/** The ports that exporters send to when nobody set them up. */
export function otlpPortChecks(answering: Answering): Judged[] {
  if (answering.kind !== 'glasshouse') return [];
  const { otlpPorts } = answering.gateway;
  return (['grpc', 'http'] as const).map((protocol): Judged => {
    const port = otlpPorts[protocol];
    if (port === standardPorts[protocol]) return { how: 'good', what: 'otlp ports', says: `${otlpNames[protocol]} arrives on ${port}` };
    const says = `${otlpNames[protocol]} ${port === null ? 'is not taken on a port of its own' : `arrives on ${port}`}`;
    const todo = `For exporters that nobody set up (port ${standardPorts[protocol]}): the Gateway menu of the app, or \`--otlp-ports on\`, if that port is free.`;
    return { how: 'odd', what: 'otlp ports', says, todo };
  });
}

export function folderChecks(projectDir: string): Judged[] {
  const what = 'project';
  if (!statSync(projectDir, { throwIfNoEntry: false })?.isDirectory())
    return [{ how: 'bad', what, says: `${projectDir} is no folder`, todo: 'Name another with --project.' }];
  const config = join(projectDir, 'agentmark.json');
  try {
    JSON.parse(readFileSync(config, 'utf8'));
    return [{ how: 'good', what, says: `${config} can be read` }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return [{ how: 'good', what, says: `${projectDir} has no agentmark.json, which only prompts and datasets need` }];
    const says = `${config} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return [{ how: 'bad', what, says, todo: 'Mend it: prompts, datasets and score definitions come from there.' }];
  }
}

/** Settings of this shell under which the spans of a program started from it do not come here. */
export function environmentChecks(environment: NodeJS.ProcessEnv, gateway: string, otlpPorts: OtlpPorts = noPorts): Judged[] {
  const what = 'environment';
  const odd = (says: string, todo: string): Judged => ({ how: 'odd', what, says, todo });
  const judged: Judged[] = [];
  const isGrpc = environment['OTEL_EXPORTER_OTLP_PROTOCOL']?.includes('grpc') === true;
  const ports = isGrpc ? [otlpPorts.grpc] : [localPortOf(new URL(gateway).origin), otlpPorts.http];
  let isSet = false;
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    const value = environment[name];
    isSet ||= value !== undefined;
    if (value !== undefined && !isThere(value, isGrpc ? null : gateway, ports))
      judged.push(odd(`${name} is ${value}`, `Unset it, or use \`glasshouse run\`.`));
  }
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true')
    judged.push(odd('OTEL_SDK_DISABLED is true: no span is made', 'Unset it.'));
  if (isGrpc && !isSet && otlpPorts.grpc !== standardPorts.grpc) {
    const says = `OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and the gateway does not listen on ${standardPorts.grpc}`;
    judged.push(odd(says, 'Set it to http/protobuf, or let the gateway take the standard ports too.'));
  }
  return judged.length > 0 ? judged : [{ how: 'good', what, says: 'Nothing in this shell sends spans elsewhere' }];
}

/** By whichever name of this machine, and whatever its path. */
function isThere(value: string, gateway: string | null, ports: readonly (number | null)[]): boolean {
  const origin = URL.parse(value)?.origin;
  if (origin === undefined) return false;
  const port = localPortOf(origin);
  return (gateway !== null && origin === new URL(gateway).origin) || (port !== null && ports.includes(port));
}
