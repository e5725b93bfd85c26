/** What `glasshouse doctor` looks at, and what it thinks of it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inspectStore } from '../entry/inspect-store.ts';
import { version } from '../platform/version.ts';
import { type Answering, whyNot } from './local-gateway.ts';

export interface Judged {
  /** `odd` may be meant so. */
  how: 'good' | 'odd' | 'bad';
  what: string;
  says: string;
  /** What to do about it. */
  todo?: string;
}

const roomBytesMin = 200 * 1024 * 1024;
const roomBytesLow = 2 * 1024 * 1024 * 1024;

const inUnits = (bytes: number): string => (bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`);

/** The bin lets no older Node come this far. */
export const versionChecks = (): Judged[] => [
  { how: 'good', what: 'versions', says: `Glasshouse ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}` },
];

export function portChecks(port: number, answering: Answering): Judged[] {
  const what = 'port';
  if (answering.kind === 'other')
    return [{ how: 'bad', what, says: whyNot(port, answering), todo: 'Stop that program, or start the gateway with another --port.' }];
  if (answering.kind === 'nobody')
    return [{ how: 'odd', what, says: `Nobody answers on port ${port}`, todo: 'Start the desktop app, or `npm run gateway`.' }];
  const { gateway } = answering;
  if (gateway.version === version) return [{ how: 'good', what, says: `Glasshouse ${gateway.version} answers at ${gateway.url}` }];
  const says = `Glasshouse ${gateway.version} answers at ${gateway.url}; this command is ${version}`;
  return [{ how: 'odd', what, says, todo: 'Restart the gateway if it was updated meanwhile.' }];
}

export function storeChecks(dataDir: string): Judged[] {
  const { file, exists, damage, sqlite, bytes, freeBytes, isOpenToOthers, setAside } = inspectStore(dataDir);
  const judged: Judged[] = [];
  if (!exists)
    judged.push({ how: 'odd', what: 'store', says: `There is none yet in ${dataDir}`, todo: 'The first start of a gateway makes it.' });
  else if (damage === null) judged.push({ how: 'good', what: 'store', says: `${file} is sound (${inUnits(bytes)}, SQLite ${sqlite})` });
  else {
    const todo = 'Copy the data folder away first. The next start sets the store aside under quarantine/ and begins a new one.';
    judged.push({ how: 'bad', what: 'store', says: `${file} is damaged: ${damage}`, todo });
  }
  if (isOpenToOthers)
    judged.push({ how: 'odd', what: 'rights', says: 'Other users of this machine may read the store', todo: `chmod 600 ${file}*` });
  for (const folder of setAside)
    judged.push({
      how: 'odd',
      what: 'quarantine',
      says: `A damaged store was set aside in ${folder}`,
      todo: 'Delete it once it is not needed.',
    });
  if (freeBytes !== null) judged.push(roomOf(dataDir, freeBytes));
  return judged;
}

function roomOf(dataDir: string, free: number): Judged {
  const says = `${inUnits(free)} free where ${dataDir} is`;
  if (free < roomBytesMin) return { how: 'bad', what: 'disk', says, todo: 'Make room: spans are refused when the disk is full.' };
  if (free < roomBytesLow) return { how: 'odd', what: 'disk', says, todo: 'Make room soon.' };
  return { how: 'good', what: 'disk', says };
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
export function environmentChecks(environment: NodeJS.ProcessEnv, port: number): Judged[] {
  const what = 'environment';
  const odd = (says: string, todo: string): Judged => ({ how: 'odd', what, says, todo });
  const judged: Judged[] = [];
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    const value = environment[name];
    if (value !== undefined && !isHere(value, port)) judged.push(odd(`${name} is ${value}`, `Unset it, or use \`glasshouse run\`.`));
  }
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true')
    judged.push(odd('OTEL_SDK_DISABLED is true: no span is made', 'Unset it.'));
  if (/grpc/.test(environment['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? ''))
    judged.push(odd('OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which Glasshouse does not speak', 'Set it to http/protobuf.'));
  return judged.length > 0 ? judged : [{ how: 'good', what, says: 'Nothing in this shell sends spans elsewhere' }];
}

function isHere(value: string, port: number): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) && Number(url.port) === port;
}
