import type { ControlStore } from '../control/control-store.ts';
import type { Deployer } from '../hosting/deployer.ts';
import { SealedTexts } from '../identity/sealed-text.ts';
import { derivedKeys, type Secrets } from '../identity/secrets.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ConnectStates } from './connect-states.ts';
import { GitConnections, gitTokensPurpose } from './git-connections.ts';
import type { GitHost } from './git-host.ts';
import type { GitSettings } from './git-settings.ts';
import { GitHubHost } from './github-host.ts';
import { GitLabHost } from './gitlab-host.ts';
import { PushDeployments } from './push-deployments.ts';

/** Git hosts of a deployment. Without any, no connection can be made. */
export interface GitService {
  states: ConnectStates;
  connections: GitConnections;
  pushes: PushDeployments;
}

export interface GitServiceOptions {
  settings: GitSettings;
  secrets: Secrets;
  /** Base URL of the gateway, without a trailing slash. */
  publicUrl: string;
  control: ControlStore;
  deployer: Deployer;
  leases: Leases;
  clock: Clock;
  log: Log;
}

export function openGit({ settings, secrets, publicUrl, control, deployer, leases, clock, log }: GitServiceOptions): GitService {
  const callback = `${publicUrl}/v1/git/callback`;
  const hosts: GitHost[] = [];
  if (settings.github) hosts.push(new GitHubHost(settings.github, callback, clock));
  if (settings.gitlab) {
    const hookKeys = derivedKeys(secrets, 'glasshouse gitlab webhook tokens');
    const webhook = `${publicUrl}/v1/git/webhooks/gitlab`;
    hosts.push(new GitLabHost({ settings: settings.gitlab, callback, webhook, hookKeys, clock }));
  }
  const connections = new GitConnections(hosts, control.git, new SealedTexts(secrets, gitTokensPurpose), leases, clock);
  return {
    states: new ConnectStates(secrets, control.git, clock),
    connections,
    pushes: new PushDeployments({ control, connections, deployer, leases, log }),
  };
}
