import { hkdfSync } from 'node:crypto';
import type { ControlStore } from '../control/control-store.ts';
import type { Deployer } from '../hosting/deployer.ts';
import { SealedTexts } from '../identity/sealed-text.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { ConnectStates } from './connect-states.ts';
import { GitConnections } from './git-connections.ts';
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
  secret: string;
  /** Base URL of the gateway, without a trailing slash. */
  publicUrl: string;
  control: ControlStore;
  deployer: Deployer;
  leases: Leases;
  clock: Clock;
  log: Log;
}

export function openGit({ settings, secret, publicUrl, control, deployer, leases, clock, log }: GitServiceOptions): GitService {
  const callback = `${publicUrl}/v1/git/callback`;
  const hosts: GitHost[] = [];
  if (settings.github) hosts.push(new GitHubHost(settings.github, callback, clock));
  if (settings.gitlab) {
    const hookKey = new Uint8Array(hkdfSync('sha256', secret, '', 'glasshouse gitlab webhook tokens', 32));
    const webhook = `${publicUrl}/v1/git/webhooks/gitlab`;
    hosts.push(new GitLabHost({ settings: settings.gitlab, callback, webhook, hookKey, clock }));
  }
  const connections = new GitConnections(hosts, control.git, new SealedTexts(secret, 'git tokens'), leases, clock);
  return {
    states: new ConnectStates(secret, control.git, clock),
    connections,
    pushes: new PushDeployments({ control, connections, deployer, leases, log }),
  };
}
