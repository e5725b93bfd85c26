/**
 * The gateway that a team deploys: the same modules as on a developer's machine, behind authentication of people, keys and apps. Which routes
 * are served follows only from the services below.
 */

import { randomUUID } from 'node:crypto';
import { extname, join } from 'node:path';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import type { About } from '../app/capabilities.ts';
import { createGateway } from '../app/gateway.ts';
import type { Guard } from '../app/guard.ts';
import { HttpListener } from '../app/http-listener.ts';
import { Programs } from '../app/programs.ts';
import { Shares } from '../app/shares.ts';
import type { ControlStore } from '../control/control-store.ts';
import { openSqliteControl } from '../control/sqlite/open.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { memoryCoordination } from '../coordination/memory.ts';
import { SharedChanges } from '../coordination/shared-changes.ts';
import type { GitSettings } from '../git/git-settings.ts';
import type { Hosting } from '../hosting/hosting.ts';
import { ClientAddresses } from '../identity/client-addresses.ts';
import { CloudAuthenticator } from '../identity/cloud-authenticator.ts';
import { DeviceCodes } from '../identity/device-codes.ts';
import { KeyEnvironmentResolver } from '../identity/environment-resolver.ts';
import { Logins } from '../identity/logins.ts';
import { OpenIdProvider, type OpenIdSettings } from '../identity/openid-provider.ts';
import { PasswordResets } from '../identity/password-resets.ts';
import { secretsOf } from '../identity/secrets.ts';
import { SessionTokens } from '../identity/session-token.ts';
import { queueLimits } from '../ingest/admission.ts';
import { createPricing } from '../ingest/cost/pricing.ts';
import { readOverrides } from '../ingest/cost/read-overrides.ts';
import { otlpLimits } from '../ingest/otlp/limits.ts';
import { IngestPipeline } from '../ingest/pipeline.ts';
import { instanceId } from '../jobs/instance-id.ts';
import { Leases } from '../jobs/lease.ts';
import { type PlanTable, standardPlans } from '../limits/plan-table.ts';
import { Plans } from '../limits/plans.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import { cloudShares, type ShareTable } from '../limits/share-table.ts';
import type { MailSettings } from '../mail/mail-settings.ts';
import { SmtpMailer } from '../mail/smtp-mailer.ts';
import { modules } from '../modules/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Log, stderrLog } from '../platform/log.ts';
import type { Observer } from '../platform/observer.ts';
import { openFilesMax } from '../platform/open-files.ts';
import { StartRefusal } from '../platform/start-refusal.ts';
import { version } from '../platform/version.ts';
import { TemplateReader } from '../project/mdx/template-reader.ts';
import { RowReader } from '../project/row-reader.ts';
import { SnapshotReader } from '../project/synced/snapshot-reader.ts';
import { SyncedProject } from '../project/synced/synced-project.ts';
import { SyncedPrompts } from '../project/synced/synced-prompts.ts';
import type { RuleTimes } from '../queue-rules/rule-rounds.ts';
import { type FolderLock, lockFolder } from '../telemetry/sqlite/file/folder-lock.ts';
import type { CodingAgents } from './cloud-agent-runs.ts';
import type { AlertSettings } from './cloud-alerts.ts';
import { cloudHealth } from './cloud-health.ts';
import { gatewayState } from './cloud-state.ts';
import { startWork } from './cloud-work.ts';
import { type OpenTelemetry, openSqliteInFolder } from './open-telemetry.ts';
import { noPorts } from './otlp-ports.ts';
import { StandardPorts, takenMessage } from './standard-ports.ts';

export interface CloudOptions {
  /** 0 takes any free port. */
  port: number;
  /** Address to listen on; all addresses of the machine by default. */
  host?: string;
  /** Additional OTLP ports: 0 for any free port. None by default. */
  otlpPorts?: OtlpPorts;
  dataDir: string;
  /** Signs logins. At least 32 characters. */
  secret: string;
  /** Accepted too, while the secret is changed. */
  previousSecret?: string | null;
  /** Public URL without a trailing slash; from the request by default. */
  publicUrl?: string | null;
  /** Where the other gateways reach this one; no sockets are shared by default. */
  internalUrl?: string | null;
  /** Determines client addresses; the peer of the connection by default. */
  clients?: ClientAddresses;
  /** Notified of every answer. */
  observers?: readonly Observer[];
  /** Limits of each plan. */
  planTable?: PlanTable;
  /** Limits of what one caller may use at a time. */
  shares?: ShareTable;
  /** Sign-in attempts from one network; 20 by default. */
  signInsPerMinute?: number;
  alerts?: AlertSettings;
  /** Pause between two rounds of retention, ms. */
  retentionEveryMs?: number;
  /** When rules fill annotation queues. */
  queueRules?: RuleTimes;
  /** Runs the code of apps; none by default. */
  hosting?: Hosting;
  /** Runs coding agents; none by default. */
  codingAgents?: CodingAgents;
  /** Git hosts for connections of apps; none by default. */
  git?: GitSettings;
  /** Identity provider for signing in; none by default. */
  openId?: OpenIdSettings | null;
  /** Mail server; no e-mail by default. Links need `publicUrl`. */
  mail?: MailSettings | null;
  /** Opens the control store; in the data folder by default. */
  openControl?: (dataDir: string, clock: Clock) => ControlStore | Promise<ControlStore>;
  /** Opens what gateways share beside it; in memory by default. */
  openCoordination?: (clock: Clock, log: Log) => Coordination;
  /** Opens the telemetry store; in the data folder by default. */
  openTelemetry?: OpenTelemetry;
  /** Entry file of threads; `server/entry/thread.ts` or its bundle by default. */
  threadEntry?: URL;
  viewerDir?: string;
  log?: Log;
  clock?: Clock;
}

export interface CloudGateway {
  url: string;
  port: number;
  otlpPorts: OtlpPorts;
  /** Refuses new requests, answers pending ones, closes the stores. */
  stop(): Promise<void>;
}

/** In the same folder as this file, in the sources and in the bundle. */
const ownThreadEntry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);
const sourceViewer = join(import.meta.dirname, '../../out/renderer');
const everyAddress = '::';
const drainMs = 20_000;

/**
 * @throws StartRefusal when the data folder is in use, a FolderInUse, or cannot be used; an error with code EADDRINUSE when the port is taken;
 * a StorageError when a store must not be touched
 */
export async function startCloudGateway(options: CloudOptions): Promise<CloudGateway> {
  // Before anything in the folder is touched, because another gateway may use it.
  const folderLock = await lockFolder(options.dataDir, 'the cloud gateway');
  try {
    return await startIn(folderLock, options);
  } catch (error) {
    folderLock.release();
    throw error;
  }
}

async function startIn(folderLock: FolderLock, options: CloudOptions): Promise<CloudGateway> {
  const shares = new Shares(options.shares ?? cloudShares(openFilesMax()), options.clients);
  let guard: Guard = () => 'pass';
  const listener = new HttpListener(() => (request, response) => guard(request, response), shares);
  await listener.listen(options.host ?? everyAddress, options.port);
  try {
    folderLock.listensOn(listener.port);
    const { services, background, stop, ...opened } = await openServices(listener.port, options);
    guard = opened.guard;
    const { log = stderrLog, viewerDir = sourceViewer, publicUrl = null, observers = [] } = options;
    const serving = {
      unavailable: 'not_available_on_cloud',
      worker: options.threadEntry ?? ownThreadEntry,
      viewerDir,
      publicUrl,
      shares,
    } as const;
    const gateway = createGateway({ modules, services, ...serving, log, observers });
    services.about.served = gateway.served;
    const state = gatewayState({ background, telemetry: services.telemetry, ingest: services.ingest, shares, dataDir: options.dataDir });
    for (const observer of observers) observer.started?.(state);
    services.telemetry.follow(({ span_count }) => {
      for (const observer of observers) observer.stored?.(span_count);
    });
    listener.open(gateway.listener);
    const hosts = [options.host ?? everyAddress] as const;
    const standard = new StandardPorts({ guardOf: () => () => 'pass', callGuardOf: () => () => null, gateway, log, shares, hosts });
    services.about.otlpPorts = () => standard.open;
    const stopAll = async () => {
      services.health.isStopping = true;
      for (const open of [listener, standard]) open.refuseNewWork();
      services.workers.stop();
      await within(
        drainMs,
        Promise.all([listener.answered(), standard.answered()]).then(() =>
          Promise.all([services.ingest.drain(), services.passwordResets?.finish()]),
        ),
      );
      await Promise.all([listener.close(), standard.close()]);
      await Promise.all([gateway.stop(), services.rows.stop(), services.templates.stop()]);
      await stop().finally(folderLock.release);
    };
    const [taken] = await standard.listen(options.otlpPorts ?? noPorts);
    if (taken) {
      await stopAll();
      throw new StartRefusal(`${takenMessage(taken)} Set GLASSHOUSE_OTLP_PORTS to listen on other ports.`);
    }
    return { url: `http://localhost:${listener.port}`, port: listener.port, otlpPorts: standard.open, stop: stopAll };
  } catch (error) {
    await listener.close();
    throw error;
  }
}

/** Opens the stores, what gateways share, and the ingest pipeline. */
async function openStores(options: CloudOptions) {
  const { dataDir, threadEntry = ownThreadEntry, openControl = openSqliteControl, clock = systemClock, log = stderrLog } = options;
  const control = await openControl(dataDir, clock);
  const coordination = (options.openCoordination ?? memoryCoordination)(clock, log);
  const leases = new Leases(control.leases, instanceId(dataDir), log);
  try {
    await leases.start();
    const prices = readOverrides(join(dataDir, 'prices.json'));
    const open = options.openTelemetry ?? openSqliteInFolder;
    const { telemetry, sink, waiting } = await open({ dataDir, threadEntry, prices, leases, notices: coordination.notices, log });
    return { control, coordination, leases, telemetry, ingest: new IngestPipeline(threadEntry, sink, prices), prices, waiting };
  } catch (error) {
    await leases.stop();
    await coordination.stop();
    await control.stop();
    throw error;
  }
}

/** Opens all services of the modules. @param port port of the gateway */
async function openServices(port: number, options: CloudOptions) {
  const { dataDir, clock = systemClock, log = stderrLog } = options;
  const [stores, secrets] = [await openStores(options), secretsOf(options)];
  const { control, coordination, leases, telemetry, ingest, prices } = stores;
  const tokens = new SessionTokens(secrets, clock);
  const plans = new Plans(control.tenants, options.planTable ?? standardPlans);
  const liveChanges = new SharedChanges(telemetry, coordination.notices);
  const publicUrl = options.publicUrl ?? `http://localhost:${port}`;
  const mailer = options.mail ? new SmtpMailer(options.mail, publicUrl, log) : null;
  const passwordResets = mailer && new PasswordResets(control, mailer, clock, log);
  const work = await startWork(stores, plans, publicUrl, mailer, options);
  const limits = { ...otlpLimits, ...queueLimits };
  const snapshots = new SnapshotReader(control.snapshots);
  const about: About = {
    ...{ target: 'cloud', instance: randomUUID(), version, limits, served: new Set(), damage: telemetry.damage },
    signInProvider: options.openId ? new URL(options.openId.issuer).host : undefined,
  };
  const services = {
    auth: new CloudAuthenticator(control, tokens, options.clients ?? new ClientAddresses(), clock),
    logins: new Logins(control, tokens, coordination.buckets, clock),
    deviceCodes: new DeviceCodes(secrets),
    openId: options.openId ? new OpenIdProvider(options.openId, secrets, clock) : null,
    mailer,
    passwordResets,
    plans,
    rateLimits: new RateLimits(plans, coordination.buckets, options.signInsPerMinute),
    control,
    ...work.services,
    ...{ project: new SyncedProject(control, snapshots), promptLibrary: new SyncedPrompts(control, snapshots) },
    rows: new RowReader(options.threadEntry ?? ownThreadEntry),
    templates: new TemplateReader(options.threadEntry ?? ownThreadEntry),
    about,
    clock,
    telemetry,
    liveChanges,
    search: telemetry.search,
    metrics: telemetry.metrics,
    health: cloudHealth({ dataDir, telemetry, ingest, control, instance: work.background.instance }),
    ingest,
    ingestLog: coordination.ingestLog,
    programs: new Programs(),
    environmentResolver: new KeyEnvironmentResolver(control.environments),
    pricing: createPricing(prices),
  };
  const stop = async () => {
    await passwordResets?.stop();
    await work.stop();
    liveChanges.stop();
    await telemetry.stop();
    await leases.stop();
    await coordination.stop();
    await control.stop();
  };
  return { services, background: work.background, guard: work.guard, stop };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
