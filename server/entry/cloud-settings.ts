/** Settings from environment variables, validated as a whole at the start: an invalid one is reported by name. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { OtlpPorts } from '../../shared/contract/core/platform.ts';
import type { BlobPlace } from '../blobs/blob-store.ts';
import { type GitSettings, readGitSettings } from '../git/git-settings.ts';
import { ClientAddresses } from '../identity/client-addresses.ts';
import type { OpenIdSettings } from '../identity/openid-provider.ts';
import { type PlanTable, plansWith, standardPlans } from '../limits/plan-table.ts';
import { type MailSettings, readMailSettings } from '../mail/mail-settings.ts';
import { readBlobPlace } from './blob-settings.ts';
import { type AgentRunSettings, readCodingAgentSettings } from './cloud-agent-runs.ts';
import { type AlertSettings, readAlertSettings } from './cloud-alerts.ts';
import type { ControlPlace } from './open-control.ts';
import { type OpenTelemetry, openTelemetryAt } from './open-telemetry.ts';
import { otlpPortsForm, otlpPortsOf } from './otlp-ports.ts';
import { readPostgresAddress } from './postgres-address.ts';
import { withSecretFiles } from './secret-files.ts';

const secretCharsMin = 32;
const port = z.coerce.number().int().min(0).max(65_535);

const environment = z.object({
  GLASSHOUSE_SECRET: z
    .string({ error: `must be set, or GLASSHOUSE_SECRET_FILE: it signs logins and seals secrets. Make one with: openssl rand -base64 32` })
    .min(secretCharsMin, `must have at least ${secretCharsMin} characters. Make one with: openssl rand -base64 32`),
  /** Accepted beside the secret while it is changed. */
  GLASSHOUSE_SECRET_PREVIOUS: z
    .string()
    .min(secretCharsMin, `must have at least ${secretCharsMin} characters, as each secret has`)
    .optional(),
  /** Public URL, when a proxy hides it. */
  GLASSHOUSE_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Where the other gateways of the installation reach this one. */
  GLASSHOUSE_INTERNAL_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine((url) => /^[^/]+\/\/[^/?#@]+\/?$/.test(url), 'must have no user, path or query')
    .optional(),
  /** Comma-separated addresses and networks whose `X-Forwarded-For` is trusted. */
  GLASSHOUSE_TRUSTED_PROXIES: z.string().transform(readProxies).prefault(''),
  /** JSON file that overrides the limits of plans. */
  GLASSHOUSE_PLANS: z.string().optional(),
  /** Runtime of deployed handlers: none, or processes on this machine. */
  GLASSHOUSE_HOSTING: z.enum(['none', 'process']).default('none'),
  /** OpenID Connect provider for signing in: all three or none. */
  GLASSHOUSE_OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  GLASSHOUSE_OIDC_CLIENT_ID: z.string().optional(),
  GLASSHOUSE_OIDC_CLIENT_SECRET: z.string().optional(),
  /** Standard OTLP ports, beside the gateway's own. */
  GLASSHOUSE_OTLP_PORTS: z.string().transform(readOtlpPorts).prefault('off'),
  /** Address of ClickHouse, for the telemetry of a fleet. */
  GLASSHOUSE_CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://user:password@host:8443/database' })
    .nullable()
    .default(null),
  /** Port of the Prometheus metrics; on loopback unless GLASSHOUSE_METRICS_HOST is set. */
  GLASSHOUSE_METRICS_PORT: port.optional(),
  GLASSHOUSE_METRICS_HOST: z.string().default('127.0.0.1'),
  /** `requests` logs every request. */
  GLASSHOUSE_LOG: z.enum(['problems', 'requests']).default('problems'),
});

/** Names of the variables above. */
export const cloudVariables: readonly string[] = Object.keys(environment.shape);

export interface CloudSettings {
  secret: string;
  previousSecret: string | null;
  controlPlace: ControlPlace;
  blobPlace: BlobPlace | null;
  openTelemetry: OpenTelemetry;
  publicUrl: string | null;
  internalUrl: string | null;
  clients: ClientAddresses;
  planTable: PlanTable;
  otlpPorts: OtlpPorts;
  metrics: { host: string; port: number } | null;
  logsRequests: boolean;
  runsHandlers: boolean;
  openId: OpenIdSettings | null;
  mail: MailSettings | null;
  git: GitSettings;
  alerts: AlertSettings;
  codingAgents: AgentRunSettings | null;
}

/**
 * @param environmentVariables variables of the process; empty ones count as absent, as in compose files
 * @throws Error with a line for each invalid variable
 */
export function readCloudSettings(environmentVariables: Record<string, string | undefined>): CloudSettings {
  const variables = withSecretFiles(environmentVariables);
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'));
  const { data } = read;
  const controlPlace = readPostgresAddress(environmentVariables);
  const blobPlace = readBlobPlace(set);
  return {
    secret: data.GLASSHOUSE_SECRET,
    previousSecret: data.GLASSHOUSE_SECRET_PREVIOUS ?? null,
    controlPlace,
    blobPlace,
    openTelemetry: openTelemetryAt(data.GLASSHOUSE_CLICKHOUSE_URL, controlPlace, blobPlace),
    publicUrl: data.GLASSHOUSE_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    internalUrl: data.GLASSHOUSE_INTERNAL_URL?.replace(/\/+$/, '') ?? null,
    clients: data.GLASSHOUSE_TRUSTED_PROXIES,
    planTable: data.GLASSHOUSE_PLANS === undefined ? standardPlans : readPlans(data.GLASSHOUSE_PLANS),
    otlpPorts: data.GLASSHOUSE_OTLP_PORTS,
    metrics: data.GLASSHOUSE_METRICS_PORT === undefined ? null : { host: data.GLASSHOUSE_METRICS_HOST, port: data.GLASSHOUSE_METRICS_PORT },
    logsRequests: data.GLASSHOUSE_LOG === 'requests',
    runsHandlers: data.GLASSHOUSE_HOSTING === 'process',
    openId: openIdOf(data),
    mail: readMailSettings(variables),
    git: readGitSettings(variables),
    alerts: readAlertSettings(variables),
    codingAgents: readCodingAgentSettings(variables, process.platform),
  };
}

function openIdOf(data: z.output<typeof environment>): OpenIdSettings | null {
  const { GLASSHOUSE_OIDC_ISSUER: issuer, GLASSHOUSE_OIDC_CLIENT_ID: clientId, GLASSHOUSE_OIDC_CLIENT_SECRET: clientSecret } = data;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return null;
  if (issuer && clientId && clientSecret) return { issuer, clientId, clientSecret };
  throw new Error(
    'GLASSHOUSE_OIDC_ISSUER, GLASSHOUSE_OIDC_CLIENT_ID and GLASSHOUSE_OIDC_CLIENT_SECRET belong together: set all of them or none',
  );
}

function readProxies(list: string, context: z.RefinementCtx): ClientAddresses {
  const proxies = list.split(',').map((proxy) => proxy.trim());
  try {
    return new ClientAddresses(proxies.filter((proxy) => proxy !== ''));
  } catch (error) {
    context.addIssue({ code: 'custom', message: `must be comma-separated addresses and networks: ${(error as Error).message}` });
    return z.NEVER;
  }
}

function readOtlpPorts(text: string, context: z.RefinementCtx): OtlpPorts {
  const ports = otlpPortsOf(text);
  if (ports) return ports;
  context.addIssue({ code: 'custom', message: `must be ${otlpPortsForm}` });
  return z.NEVER;
}

/**
 * Limits of plans from a file.
 * @throws Error with a sentence when it is invalid
 */
export function readPlans(file: string): PlanTable {
  try {
    return plansWith(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Error(`GLASSHOUSE_PLANS names ${file}, which cannot be used: ${why}`);
  }
}
