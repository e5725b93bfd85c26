/**
 * The gateway on a developer's machine: loopback only, no login, one app, SQLite under a data folder.
 * Electron's main process, `npm run gateway` and the tests all start it with this call.
 */

import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { extname, join } from 'node:path';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import type { About } from '../app/capabilities.ts';
import { createGateway } from '../app/gateway.ts';
import { loopbackCallGuard, loopbackGuard } from '../app/guard.ts';
import { HttpListener } from '../app/http-listener.ts';
import { Programs } from '../app/programs.ts';
import { noteRejections } from '../app/rejected-connections.ts';
import { Shares } from '../app/shares.ts';
import { Forwarding } from '../forwarding/destinations.ts';
import { environmentDestination } from '../forwarding/environment-destination.ts';
import { Links } from '../forwarding/links.ts';
import { Redaction } from '../forwarding/redaction.ts';
import { EnvironmentSecrets } from '../forwarding/secrets/environment-secrets.ts';
import { FileSecrets } from '../forwarding/secrets/file-secrets.ts';
import type { SecretStore } from '../forwarding/secrets/secret-store.ts';
import { TokenKey } from '../forwarding/token-key.ts';
import { AgentHistory } from '../history/background/agent-history.ts';
import { everyoneIsOwner } from '../identity/authenticator.ts';
import { asSent } from '../identity/environment-resolver.ts';
import { queueLimits } from '../ingest/admission.ts';
import type { PriceOverrides } from '../ingest/cost/own-prices.ts';
import { createPricing } from '../ingest/cost/pricing.ts';
import { readOverrides } from '../ingest/cost/read-overrides.ts';
import { MemoryIngestLog } from '../ingest/ingest-log.ts';
import { otlpLimits } from '../ingest/otlp/limits.ts';
import { IngestPipeline } from '../ingest/pipeline.ts';
import { Budgets } from '../limits/budgets.ts';
import { localShares } from '../limits/share-table.ts';
import { modules } from '../modules/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type Log, stderrLog } from '../platform/log.ts';
import { openFilesMax } from '../platform/open-files.ts';
import { localScope } from '../platform/scope.ts';
import { version } from '../platform/version.ts';
import { DiskProject } from '../project/disk/disk-project.ts';
import { DiskPrompts } from '../project/disk/disk-prompts.ts';
import { TemplateReader } from '../project/mdx/template-reader.ts';
import { RowReader } from '../project/row-reader.ts';
import { changesOf } from '../telemetry/live-changes.ts';
import type { LocalTelemetryStore } from '../telemetry/local-telemetry-store.ts';
import type { RunawayNotice } from '../telemetry/runaway-store.ts';
import type { CommitNotice } from '../telemetry/span-writer.ts';
import { lockFolder } from '../telemetry/sqlite/file/folder-lock.ts';
import { noteReason, quarantine } from '../telemetry/sqlite/file/quarantine-place.ts';
import { openSqliteTelemetry, type SqliteStore, telemetryFile } from '../telemetry/sqlite/store.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import { type PortTaken, StandardPorts } from './standard-ports.ts';

export { type SecretStore, SecretStoreError } from '../forwarding/secrets/secret-store.ts';

export interface LocalOptions {
  /** 0 takes any free port. */
  port: number;
  dataDir: string;
  projectDir: string;
  /** Entry file of threads; `server/entry/thread.ts` or its bundle by default. */
  threadEntry?: URL;
  /** Folder of the built viewer. */
  viewerDir?: string;
  log?: Log;
  /** Secret store for destination keys; by default a file in the data folder readable by its owner only. */
  secrets?: SecretStore;
  /** Environment variables that may define a destination, or where coding agents keep their sessions; those of the process by default. */
  environment?: NodeJS.ProcessEnv;
  /** The folder of the user whose coding agents are looked for; that of the process by default. */
  homeDir?: string;
  /** Name in the message to other programs that want the data folder; `the local gateway` by default. */
  program?: string;
  /** Called when the port is open. Requests are answered 503 until the store is open. */
  listening?: (port: number) => void;
}

export interface LocalGateway {
  /** `http://127.0.0.1:PORT` */
  url: string;
  port: number;
  /** Id of this run of the gateway, also in `GET /v1/capabilities`. */
  instance: string;
  /** Quarantine folder of a store that was damaged at this start; null for none. */
  quarantined: string | null;
  /** Number of pending requests. */
  working(): number;
  /** While paused, ingest answers 503 with `Retry-After`; reads continue. */
  pause(isPaused: boolean): void;
  /** Calls back after each commit, until the returned function is called. */
  follow(onCommit: (commit: Pick<CommitNotice, 'trace_ids' | 'span_count'>) => void): () => void;
  /** Calls back when signs of a runaway were found, changed or ended, until the returned function is called. */
  followRunaways(onChange: (notice: Pick<RunawayNotice, 'trace_ids'>) => void): () => void;
  /** Serves the prompts and datasets of another folder from now on. */
  openProject(folder: string): void;
  /** The ports beside its own on which it takes OTLP and nothing else. */
  readonly otlpPorts: OtlpPorts;
  /** Listens for OTLP on these ports instead of the previous ones: 0 for any free port, null for none. Returns those that are taken. */
  listenForOtlp(ports: OtlpPorts): Promise<PortTaken[]>;
  /** Refuses new requests, answers pending ones, closes the store. */
  stop(): Promise<void>;
}

/** In the same folder as this file, in the sources and in the bundle. */
const ownThreadEntry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);
const sourceViewer = join(import.meta.dirname, '../../out/renderer');

/**
 * @throws StartRefusal when the data folder is in use, a FolderInUse, or cannot be used; an error with code EADDRINUSE when the port is taken;
 * a StorageError when the store must not be touched
 */
export async function startLocalGateway(options: LocalOptions): Promise<LocalGateway> {
  // Before anything in the folder is touched, because another gateway may use it.
  const folderLock = await lockFolder(options.dataDir, options.program ?? 'the local gateway');
  try {
    const listening = (port: number) => {
      folderLock.listensOn(port);
      options.listening?.(port);
    };
    return await startIn({ ...options, listening }, folderLock.release);
  } catch (error) {
    folderLock.release();
    throw error;
  }
}

async function startIn(options: LocalOptions, release: () => void): Promise<LocalGateway> {
  const { port, dataDir, threadEntry = ownThreadEntry, viewerDir = sourceViewer, log = stderrLog } = options;
  const ingestLog = new MemoryIngestLog();
  const note = noteRejections(ingestLog, localScope, systemClock);
  const guardOf = (ports: () => number[]) => loopbackGuard(ports, note);
  const shares = new Shares(localShares(openFilesMax()));
  const http = new HttpListener(guardOf, shares);
  await listen(http, port, log);
  try {
    options.listening?.(http.port);
    const prices = readOverrides(join(dataDir, 'prices.json'));
    const { telemetry, quarantined } = await openStore(dataDir, threadEntry, prices, log);
    const ingest = new IngestPipeline(threadEntry, telemetry.sink, prices);
    const about: About = { target: 'local', instance: randomUUID(), version, limits: { ...otlpLimits, ...queueLimits }, served: new Set() };
    const project = new DiskProject(options.projectDir, log);
    const outbound = await forwardingOf(options, telemetry, log);
    Object.assign(about, { forwards: outbound.forwarding, damage: telemetry.damage, otlpPorts: () => standard.open });
    const services = {
      ...{ auth: everyoneIsOwner, clock: systemClock, environmentResolver: asSent, onOneMachine: true as const },
      pricing: createPricing(prices),
      about,
      ...{ telemetry, localTelemetry: telemetry, liveChanges: changesOf(telemetry) },
      ...{ ingest, ingestLog, programs: new Programs() },
      ...{ project, promptLibrary: new DiskPrompts(project), rows: new RowReader(threadEntry), templates: new TemplateReader(threadEntry) },
      ...{ ...outbound, agentHistory: historyOf(options, telemetry, ingest, log), budgets: new Budgets(dataDir, log) },
    };
    const serving = { unavailable: 'not_available_locally', worker: threadEntry, viewerDir, shares } as const;
    const gateway = createGateway({ modules, services, ...serving, log, note });
    about.served = gateway.served;
    http.open(gateway.listener);
    for (const service of [outbound.forwarding, services.agentHistory]) service.start();
    const callGuardOf = (ports: () => number[]) => loopbackCallGuard(ports, note);
    const standard = new StandardPorts({ guardOf, callGuardOf, gateway, log, shares, hosts: ['127.0.0.1', '::1'] });
    const threads = [services.agentHistory, gateway, services.rows, services.templates];
    return {
      ...{ url: `http://127.0.0.1:${http.port}`, port: http.port },
      instance: about.instance,
      quarantined,
      working: () => http.working() + standard.working(),
      pause: (isPaused) => ingest.pause(isPaused),
      follow: (onCommit) => telemetry.follow(onCommit),
      followRunaways: (onChange) => telemetry.runaways.follow(onChange),
      openProject: (folder) => project.open(folder),
      get otlpPorts() {
        return standard.open;
      },
      listenForOtlp: (ports) => standard.listen(ports),
      stop: () => {
        project.close();
        outbound.links.stop();
        return stop([http, standard], threads, ingest, outbound, telemetry).finally(release);
      },
    };
  } catch (error) {
    await http.close();
    throw error;
  }
}

/** Clients of `localhost` may try ::1 first; a machine without IPv6 does not need it. */
async function listen(http: HttpListener, port: number, log: Log): Promise<void> {
  await http.listen('127.0.0.1', port);
  try {
    await http.listen('::1', http.port);
  } catch (error) {
    log.info('ipv6_not_listening', { reason: (error as NodeJS.ErrnoException).code });
  }
}

/** Moves a damaged store to quarantine and creates a new one; a newer store, a locked one or a failing disk is left alone. */
async function openStore(
  dataDir: string,
  threadEntry: URL,
  prices: PriceOverrides,
  log: Log,
): Promise<{ telemetry: SqliteStore; quarantined: string | null }> {
  const open = () => openSqliteTelemetry(dataDir, threadEntry, prices, { log });
  try {
    return { telemetry: await open(), quarantined: null };
  } catch (error) {
    if (!(error instanceof StorageError) || error.errorKind !== 'corrupt') throw error;
    const quarantined = quarantine(telemetryFile(dataDir));
    noteReason(quarantined, error.message);
    log.error('store_quarantined', { folder: quarantined, reason: error.message });
    return { telemetry: await open(), quarantined };
  }
}

/** Forwarding services. No other services have access to keys. */
async function forwardingOf(options: LocalOptions, telemetry: LocalTelemetryStore, log: Log) {
  const { dataDir, secrets: own, environment = process.env, threadEntry = ownThreadEntry } = options;
  const secrets = new EnvironmentSecrets(own ?? new FileSecrets(join(dataDir, 'secrets.json'), log), environment);
  const tokenKey = new TokenKey(secrets);
  const redaction = new Redaction(threadEntry);
  const parts = { telemetry, redaction, scope: localScope, secrets, tokenKey, clock: systemClock, log };
  const forwarding = new Forwarding(parts, environmentDestination(environment, log));
  await forwarding.prepare();
  return { forwarding, redaction, tokenKey, links: new Links(forwarding, systemClock) };
}

function historyOf(options: LocalOptions, telemetry: LocalTelemetryStore, ingest: IngestPipeline, log: Log): AgentHistory {
  const { dataDir, homeDir = homedir(), environment = process.env, threadEntry = ownThreadEntry } = options;
  const installation = async () => (await telemetry.forwarding.installation(localScope)).decode();
  const home = { folder: homeDir, environment };
  return new AgentHistory({ home, dataDir, threadEntry, ingest, scope: localScope, clock: systemClock, log, installation });
}

const drainMs = 5_000;

async function stop(
  [http, standard]: [HttpListener, StandardPorts],
  threads: readonly { stop(): Promise<void> }[],
  ingest: IngestPipeline,
  { forwarding, redaction }: { forwarding: Forwarding; redaction: Redaction },
  telemetry: LocalTelemetryStore,
): Promise<void> {
  http.refuseNewWork();
  standard.refuseNewWork();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, drainMs)));
  await Promise.race([standard.answered().then(() => ingest.drain()), timeout]);
  clearTimeout(timer);
  await Promise.all([http.close(), standard.close()]);
  await Promise.all(threads.map((thread) => thread.stop()));
  await ingest.stop();
  await forwarding.stop();
  await redaction.stop();
  await telemetry.stop();
}
