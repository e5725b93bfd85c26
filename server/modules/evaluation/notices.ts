import { fail } from '../../app/fail.ts';
import { type Context, defineModule } from '../../app/module.ts';

/** These routes take a login only, so the actor is a person. */
const recipientOf = ({ scope, principal }: Context) => ({ tenant_id: scope.tenant_id, user_id: principal.actor.id });

export const noticesModule = defineModule({
  group: 'notices',
  needs: ['control'],
  build: ({ control: { notices } }) => ({
    list: (context, { query }) => notices.list(recipientOf(context), query),

    unread: async (context) => ({ data: { unread: await notices.unread(recipientOf(context)) } }),

    mark: async (context, { params: { noticeId }, body: { is_read } }) => {
      const notice = await notices.mark(recipientOf(context), noticeId.toLowerCase(), is_read);
      return { data: notice ?? fail('notice_not_found', `There is no notice ${noticeId} for you`) };
    },

    markAll: async (context) => ({ data: { marked: await notices.markAll(recipientOf(context)) } }),
  }),
});
