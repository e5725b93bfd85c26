import { expect } from 'vitest';
import type { SealedPlace } from '../sealed-text-store.ts';
import { channelDraft } from './alert-channels.ts';
import type { DeclareGuarantee } from './guarantee.ts';
import { expectOneOf } from './race.ts';
import { anApp, by, defaultOf } from './records.ts';

const before: Record<SealedPlace, string> = {
  'git tokens': 'tokens',
  'webhook secret': 'secret',
  'previous webhook secret': 'older secret',
  'slack token': 'bot',
  'alert channel': 'address',
};
const places = Object.keys(before) as SealedPlace[];

export function sealedTextGuarantees(guarantee: DeclareGuarantee): void {
  guarantee('every sealed text is listed, page by page, and replaced where it has not changed', async ({ control, race }) => {
    const { sealedTexts, git, alertDestinations } = control;
    const scope = await anApp(control);
    const { id: environmentId } = await defaultOf(control, scope);
    await git.connect(by, scope, { provider: 'github', installation_id: 1, sealed_tokens: 'tokens' });
    const until = { previous_secret_until: '2999-01-01T00:00:00.000Z' };
    const secrets = { sealed_secret: 'secret', sealed_previous_secret: 'older secret', ...until };
    await alertDestinations.putWebhook(by, scope, environmentId, () => ({ url: 'https://a.b/', ...secrets }));
    await alertDestinations.putSlack(by, scope, () => ({ sealed_token: 'bot', channel_id: null }));
    const channel = await control.alertChannels.create(by, scope, { ...channelDraft('one'), sealed: 'address' }, 9);

    for (const place of places) {
      const id = place.endsWith('secret') ? environmentId : place === 'alert channel' ? channel.id : scope.app_id;
      const listed = async () => {
        for (let after = ''; ; ) {
          const [text] = await sealedTexts.list(place, after, 1);
          if (!text || text.id === id) return text;
          after = text.id;
        }
      };
      const text = { ...scope, id, sealed: before[place] };
      expect(await listed()).toEqual(text);
      const won = expectOneOf(
        await race(async (store, index) => (await store.sealedTexts.replace(place, text, `again ${index}`)) && `again ${index}`),
      );
      expect(await listed()).toEqual({ ...text, sealed: won });
      expect(await sealedTexts.replace(place, { ...text, sealed: String(won), tenant_id: 'another' }, 'stolen')).toBe(false);
      expect(await listed()).toEqual({ ...text, sealed: won });
    }
    expect((await git.findConnection(scope))?.sealed_tokens).toMatch(/^again/);
    const webhook = await alertDestinations.findWebhook(scope, environmentId);
    expect(webhook).toMatchObject({
      sealed_secret: expect.stringMatching(/^again/),
      sealed_previous_secret: expect.stringMatching(/^again/),
    });

    await alertDestinations.putWebhook(by, scope, environmentId, () => ({
      ...{ url: 'https://a.b/', sealed_secret: null, sealed_previous_secret: null, previous_secret_until: null },
    }));
    const left = await Promise.all(places.map((place) => sealedTexts.list(place, '', 100_000)));
    expect(left.map((texts) => texts.some((text) => text.id === environmentId))).toEqual(places.map(() => false));
  });
}
