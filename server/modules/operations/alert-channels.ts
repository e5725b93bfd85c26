import { ChannelProblem } from '../../alerts/channels.ts';
import { assertAlertsInPlan } from '../../app/alert-checks.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { Duplicate } from '../../control/duplicate.ts';
import { LimitReached } from '../../control/limit-reached.ts';

export const alertChannelsModule = defineModule({
  group: 'alertChannels',
  needs: ['plans', 'alertChannels'],
  build: ({ plans, alertChannels: channels }) => ({
    list: async ({ scope }) => {
      await assertAlertsInPlan(plans, scope);
      return { data: { channels: await channels.list(scope), kinds: channels.kinds } };
    },

    create: async ({ scope, principal }, { body: { kind, ...draft } }) => {
      await assertAlertsInPlan(plans, scope);
      return new Answer(201, { data: await orRefused(() => channels.create(principal.actor, scope, kind, draft)) });
    },

    change: async ({ scope, principal }, { params: { channelId }, body }) => {
      await assertAlertsInPlan(plans, scope);
      return { data: (await orRefused(() => channels.change(principal.actor, scope, channelId, body))) ?? missing(channelId) };
    },

    remove: async ({ scope, principal }, { params: { channelId } }) => {
      await assertAlertsInPlan(plans, scope);
      if (!(await channels.remove(principal.actor, scope, channelId))) missing(channelId);
      return new Answer(204, undefined);
    },

    test: async ({ scope }, { params: { channelId } }) => {
      await assertAlertsInPlan(plans, scope);
      return { data: (await channels.test(scope, channelId)) ?? missing(channelId) };
    },
  }),
});

const missing = (channelId: string): never => fail('alert_channel_not_found', `There is no channel ${channelId}`);

async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChannelProblem)
      fail('invalid_request_body', 'Invalid request body', { details: { [error.field]: error.message }, field: error.field });
    if (error instanceof Duplicate) fail('duplicate_alert_channel_name', error.message);
    if (error instanceof LimitReached) fail('invalid_request_body', `An app has at most ${error.limit} channels. Delete some first`);
    throw error;
  }
}
