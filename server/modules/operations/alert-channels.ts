import { ChannelProblem } from '../../alerts/channels.ts';
import { assertAlertsInPlan } from '../../app/alert-checks.ts';
import { fail, failForNow } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { Duplicate } from '../../control/duplicate.ts';
import { LimitReached } from '../../control/limit-reached.ts';

/** After which one of the five in an hour to one address is free again. */
const tooManyWaitSeconds = 720;

export const alertChannelsModule = defineModule({
  group: 'alertChannels',
  needs: ['plans', 'alertChannels', 'rateLimits'],
  build: ({ plans, alertChannels: channels, rateLimits }) => ({
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
      const channel = (await channels.find(scope, channelId)) ?? missing(channelId);
      const { kind, shown: address } = channel;
      if (kind === 'email' && !(await rateLimits.admitMail('alert tests', scope.tenant_id, address.toLowerCase())))
        failForNow('rate_limit_exceeded', 'Too many test e-mails. Try again later', tooManyWaitSeconds);
      return { data: await channels.test(scope, channel) };
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
