import type { AgentHistory as Published } from '../../../shared/contract/viewer/agent-history.ts';
import { defineModule } from '../../app/module.ts';
import { failForDeadThread } from '../../app/overload.ts';
import type { AgentHistory, ShownHistory } from '../../history/background/agent-history.ts';

/** Local only: the files belong to the user of the machine. */
export const agentHistoryModule = defineModule({
  group: 'agentHistories',
  needs: ['agentHistory'],
  build: ({ agentHistory }) => ({
    list: async () => ({ data: await listed(agentHistory) }),
    show: async (_, { body: { agents, is_shown } }) => {
      await agentHistory.show(agents, is_shown);
      return { data: await listed(agentHistory) };
    },
  }),
});

const listed = async (history: AgentHistory): Promise<Published[]> => (await history.list().catch(failForDeadThread)).map(published);

const published = ({ newestMs, isShown, sessionsRead, leftOut, ...found }: ShownHistory): Published => ({
  ...found,
  newest_at: newestMs === null ? null : new Date(newestMs).toISOString(),
  is_shown: isShown,
  sessions_read: sessionsRead,
  left_out: leftOut,
});
