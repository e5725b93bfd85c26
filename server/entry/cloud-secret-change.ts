/**
 * While the secret of the deployment is changed: seals every stored text with the current one, and sets the tokens of webhooks again, so that
 * the other secret is no longer needed. Each text is replaced only if nobody changed it, so any number of gateways may do this at a time.
 */
import { channelPurpose } from '../alerts/channel-sender.ts';
import { alertDestinationsPurpose, slackPurpose, webhookPurpose } from '../alerts/sender.ts';
import type { ControlStore } from '../control/control-store.ts';
import { type SealedPlace, type StoredSealedText, sealedPlaces } from '../control/sealed-text-store.ts';
import { gitTokensOwner, gitTokensPurpose } from '../git/git-connections.ts';
import type { GitService } from '../git/git-service.ts';
import { SealedTexts } from '../identity/sealed-text.ts';
import type { Secrets } from '../identity/secrets.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Log } from '../platform/log.ts';
import type { Scope } from '../platform/scope.ts';

/** Again, because a gateway that has not been restarted yet may have sealed something with the other secret. */
const everyMs = 10 * 60_000;
const pageSize = 100;

interface Needs {
  secrets: Secrets;
  control: Pick<ControlStore, 'sealedTexts' | 'git'>;
  git: Pick<GitService, 'connections'>;
  log: Log;
}

/** How the texts of a place are sealed. */
interface Sealing {
  texts: SealedTexts;
  ownerOf(text: StoredSealedText): string;
}

/** Begins at once, and does not keep the gateway from answering. */
export function startSecretChange({ secrets, control, git, log }: Needs): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ofGit = new SealedTexts(secrets, gitTokensPurpose);
  const ofAlerts = new SealedTexts(secrets, alertDestinationsPurpose);
  const ofWebhooks: Sealing = { texts: ofAlerts, ownerOf: ({ id }) => webhookPurpose(id) };
  const sealings: Record<SealedPlace, Sealing> = {
    'git tokens': { texts: ofGit, ownerOf: gitTokensOwner },
    'webhook secret': ofWebhooks,
    'previous webhook secret': ofWebhooks,
    'slack token': { texts: ofAlerts, ownerOf: slackPurpose },
    'alert channel': { texts: ofAlerts, ownerOf: ({ id }) => channelPurpose(id) },
  };

  const round = async () => {
    const result = { sealed_again: 0, unreadable: 0, webhooks_set: 0, webhooks_failed: 0 };
    for await (const [place, text] of allTexts(control, stopping.signal)) {
      const { texts, ownerOf } = sealings[place];
      const sealed = texts.sealAgain(text.sealed, ownerOf(text));
      if (sealed === null) result.unreadable++;
      else if (sealed !== text.sealed && (await control.sealedTexts.replace(place, text, sealed))) result.sealed_again++;
      const webhook = sealed !== null && place === 'git tokens' ? await setWebhook(control, git, text) : null;
      if (webhook) result[webhook]++;
    }
    if (stopping.signal.aborted) return;
    if (result.webhooks_failed > 0) log.error('secret_change_waits', result);
    else log.info('secret_change_done', result);
  };
  const schedule = new Schedule(round, everyMs, (error) => log.error('secret_change_failed', { reason: String(error) }));
  void schedule.now();
  const stop = async () => {
    stopping.abort();
    await schedule.stop();
  };
  return { stop };
}

async function* allTexts({ sealedTexts }: Needs['control'], stopping: AbortSignal): AsyncGenerator<[SealedPlace, StoredSealedText]> {
  for (const place of sealedPlaces) {
    for (let after = ''; ; ) {
      const page = await sealedTexts.list(place, after, pageSize);
      for (const text of page) {
        if (stopping.aborted) return;
        yield [place, text];
      }
      const last = page.at(-1);
      if (!last || page.length < pageSize) break;
      after = last.id;
    }
  }
}

/** Sets the token of the webhook of the repository that the app follows, where it depends on the secret. */
async function setWebhook(
  { git }: Needs['control'],
  { connections }: Needs['git'],
  scope: Scope,
): Promise<'webhooks_set' | 'webhooks_failed' | null> {
  try {
    const link = await git.findLink(scope);
    if (link?.provider !== 'gitlab') return null;
    const connected = await connections.find(scope);
    if (!connected) return 'webhooks_failed';
    await connected.host.follow(connected.access, { id: link.repository_id });
    return 'webhooks_set';
  } catch {
    return 'webhooks_failed';
  }
}
