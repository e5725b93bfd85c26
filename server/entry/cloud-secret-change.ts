/**
 * While the secret of the deployment is changed: seals every stored text with the current one, and then sets the tokens of webhooks again, so
 * that the other secret is no longer needed. One gateway does this at a time, by lease, and each text is replaced only if nobody changed it.
 */
import { channelPurpose } from '../alerts/channel-sender.ts';
import { alertDestinationsPurpose, slackPurpose, webhookPurpose } from '../alerts/sender.ts';
import type { ControlStore } from '../control/control-store.ts';
import { type SealedPlace, type StoredSealedText, sealedPlaces } from '../control/sealed-text-store.ts';
import { gitTokensOwner, gitTokensPurpose } from '../git/git-connections.ts';
import type { GitService } from '../git/git-service.ts';
import { setWebhookTokens } from '../git/webhook-tokens.ts';
import { SealedTexts } from '../identity/sealed-text.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { Leases } from '../jobs/lease.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Log } from '../platform/log.ts';

/** Again, because a gateway that has not been restarted yet may have sealed something with the other secret. */
const everyMs = 10 * 60_000;
/** Most upgrades are over by then. */
const secondMs = 60_000;
const pageSize = 100;
/** Texts that change while they are sealed again are read again so often in a round. */
const passesMax = 3;
/** Log entries about single records, in a round. */
const namedMax = 20;
const reminder = 'Two secrets are accepted until GLASSHOUSE_SECRET_PREVIOUS is removed';

interface Needs {
  secrets: Secrets;
  control: Pick<ControlStore, 'sealedTexts' | 'git'>;
  git: Pick<GitService, 'connections'>;
  leases: Leases;
  log: Log;
}

/** How the texts of a place are sealed. */
interface Sealing {
  texts: SealedTexts;
  ownerOf(text: StoredSealedText): string;
}

interface Pass {
  sealed_again: number;
  /** Changed by somebody else meanwhile, perhaps with the other secret. */
  changed: number;
  unreadable: StoredSealedText[];
}

/** Begins at once, and does not keep the gateway from answering. */
export function startSecretChange(needs: Needs): { stop(): Promise<void> } {
  const { secrets, leases, log } = needs;
  const stopping = new AbortController();
  const sealings = sealingsOf(secrets);
  log.info('secret_change_started', { reminder });

  const round = async () => {
    const lease = await leases.claim('secret change/round');
    if (!lease) return;
    try {
      await changeSecret(needs, sealings, AbortSignal.any([stopping.signal, lease.lost]));
    } finally {
      await leases.release(lease.claim);
    }
  };
  const schedule = new Schedule(round, everyMs, (error) => log.error('secret_change_failed', { reason: String(error) }));
  void schedule.now();
  const second = setTimeout(() => void schedule.now(), secondMs).unref();
  const stop = async () => {
    clearTimeout(second);
    stopping.abort();
    await schedule.stop();
  };
  return { stop };
}

function sealingsOf(secrets: Secrets): Record<SealedPlace, Sealing> {
  const ofAlerts = new SealedTexts(secrets, alertDestinationsPurpose);
  const ofWebhooks: Sealing = { texts: ofAlerts, ownerOf: ({ id }) => webhookPurpose(id) };
  return {
    'git tokens': { texts: new SealedTexts(secrets, gitTokensPurpose), ownerOf: gitTokensOwner },
    'webhook secret': ofWebhooks,
    'previous webhook secret': ofWebhooks,
    'slack token': { texts: ofAlerts, ownerOf: slackPurpose },
    'alert channel': { texts: ofAlerts, ownerOf: ({ id }) => channelPurpose(id) },
  };
}

/** One round. Its report says that all is done only if nothing is left that needs the other secret and that this gateway can change. */
async function changeSecret({ control, git, log }: Needs, sealings: Record<SealedPlace, Sealing>, stopping: AbortSignal): Promise<void> {
  const began_at = new Date().toISOString();
  const result = { sealed_again: 0, unreadable: 0, changed: 0, webhooks_set: 0, webhooks_failed: 0, webhooks_refused: 0 };
  let named = 0;
  const name = (event: string, fields: Record<string, string>) => {
    if (named++ < namedMax) log.error(event, fields);
  };
  for (const place of sealedPlaces) {
    const pass = await sealPlace(control, place, sealings[place], stopping);
    result.sealed_again += pass.sealed_again;
    result.changed += pass.changed;
    result.unreadable += pass.unreadable.length;
    for (const { id, app_id } of pass.unreadable) name('secret_change_unreadable', { place, id, app_id });
  }
  for await (const [{ app_id }, webhook] of setWebhookTokens(textsOf(control, 'git tokens', stopping), control.git, git.connections)) {
    if (webhook === 'set') result.webhooks_set++;
    else if (webhook === 'refused') result.webhooks_refused++;
    else result.webhooks_failed++;
    if (webhook !== 'set') name('secret_change_webhook', { app_id, reason: webhook });
  }
  if (stopping.aborted) return;
  const isDone = result.unreadable + result.changed + result.webhooks_failed === 0;
  if (isDone) log.info('secret_change_done', { began_at, ...result, reminder });
  else log.error('secret_change_waits', { began_at, ...result });
}

/** Repeated while somebody else changes texts. */
async function sealPlace(control: Needs['control'], place: SealedPlace, sealing: Sealing, stopping: AbortSignal): Promise<Pass> {
  let sealed_again = 0;
  for (let attempt = 1; ; attempt++) {
    const pass = await sealOnce(control, place, sealing, stopping);
    sealed_again += pass.sealed_again;
    if (pass.changed === 0 || attempt === passesMax) return { ...pass, sealed_again };
  }
}

async function sealOnce(control: Needs['control'], place: SealedPlace, { texts, ownerOf }: Sealing, stopping: AbortSignal): Promise<Pass> {
  const pass: Pass = { sealed_again: 0, changed: 0, unreadable: [] };
  for await (const text of textsOf(control, place, stopping)) {
    const sealed = texts.sealAgain(text.sealed, ownerOf(text));
    if (sealed === null) pass.unreadable.push(text);
    else if (sealed !== text.sealed) pass[(await control.sealedTexts.replace(place, text, sealed)) ? 'sealed_again' : 'changed']++;
  }
  return pass;
}

async function* textsOf({ sealedTexts }: Needs['control'], place: SealedPlace, stopping: AbortSignal): AsyncGenerator<StoredSealedText> {
  for (let after = ''; ; ) {
    const page = await sealedTexts.list(place, after, pageSize);
    for (const text of page) {
      if (stopping.aborted) return;
      yield text;
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.id;
  }
}
