import type { Capabilities, OtlpPorts } from '../../shared/contract/core/platform.ts';
import type { Contract } from '../../shared/contract/index.ts';
import type { DamageWatch } from '../telemetry/damage.ts';

/** Properties of a gateway. */
export interface About {
  target: 'local' | 'cloud';
  /** New for every start: tells two gateways on one port apart. */
  instance: string;
  version: string;
  limits: Record<string, number>;
  /** Groups of the contract that are mounted; filled in by the mount. */
  served: Set<keyof Contract>;
  /** Known damage of the store. */
  damage?: DamageWatch;
  /** Standard OTLP ports, in addition to the gateway's own. */
  otlpPorts?: () => OtlpPorts;
  /** Host of the identity provider. */
  signInProvider?: string | undefined;
  /** For gateways that forward: id of the installation, empty until it is read, and the destinations. */
  forwards?: { readonly installation: string; forwardsTo(): string[] };
}

/** The published key of each group (docs/reference/http-api.md#capabilities). A key is true when its group is mounted. */
const keyOf: Partial<Record<keyof Contract, string>> = {
  traces: 'traces',
  spans: 'spans',
  sessions: 'sessions',
  scores: 'scores',
  runTraces: 'runs',
  spanById: 'span_detail',
  viewer: 'viewer',
  pricing: 'pricing',
  filterSchema: 'filter_schema',
  scoreConfigs: 'score_configs',
  config: 'config',
  prompts: 'prompts',
  templates: 'templates',
  datasets: 'datasets',
  experiments: 'experiments',
  scoreAnalytics: 'score_analytics',
  search: 'search',
  metrics: 'metrics',
  annotationQueues: 'annotation_queues',
  comments: 'comments',
  apiKeys: 'api_keys',
  apps: 'apps',
  alerts: 'alerts',
  deployments: 'deployments',
  environments: 'environments',
  evals: 'evals',
  workerRuns: 'workers',
  agents: 'agents',
  connect: 'connect',
  // Viewer features, in addition to the published ones.
  traceDeletions: 'trace_deletions',
  mcp: 'mcp',
  traceTags: 'trace_tags',
  runaways: 'runaways',
  auth: 'auth',
  deviceSignIn: 'device_sign_in',
  openIdSignIn: 'openid_sign_in',
  passwordResets: 'password_resets',
  members: 'members',
  notices: 'notices',
  auditLog: 'audit_log',
  usage: 'usage',
  retention: 'retention',
  shareLinks: 'share_links',
  viewerEvals: 'viewer_evals',
  appGit: 'app_git',
  alertDestinations: 'alert_destinations',
  alertChannels: 'alert_channels',
  alertSeries: 'alert_series',
  alertAttention: 'alert_attention',
  traceFiles: 'trace_files',
  viewerStorage: 'viewer_storage',
  viewerWindows: 'viewer_windows',
  agentHistories: 'agent_history',
  spending: 'spending',
  redaction: 'redaction',
  experimentRuns: 'experiment_runs',
  forwarding: 'forwarding',
  scoreConfigChanges: 'score_config_changes',
};

/** Published keys that are always present: they are false while their group is not mounted. */
const announced = ['experiments', 'datasets', 'prompts', 'score_configs', 'config', 'templates'];

export function capabilitiesOf(
  { target, instance, version, limits, served, forwards, damage, otlpPorts, signInProvider }: About,
  url: string,
): Capabilities {
  const endpoints = Object.fromEntries(announced.map((key) => [key, false]));
  for (const [group, key] of Object.entries(keyOf)) endpoints[key] = served.has(group as keyof Contract);
  const forwarding = forwards?.installation ? { installation: forwards.installation, forwards_to: forwards.forwardsTo() } : {};
  const ports = otlpPorts ? { otlp_ports: otlpPorts() } : {};
  const provider = signInProvider === undefined ? {} : { sign_in_provider: signInProvider };
  return { target, url, endpoints, instance, version, ...forwarding, ...ports, ...provider, limits, ...damageFields(damage) };
}

/** This route is public, so the answer contains no path of the machine. */
function damageFields(watch: DamageWatch | undefined): Pick<Capabilities, 'damaged'> {
  const damage = watch?.now();
  return damage ? { damaged: { since: new Date(damage.since_ms).toISOString(), counts: damage.counts } } : {};
}
