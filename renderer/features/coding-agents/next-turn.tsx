import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { useNextTurn, type Workspace } from './coding-agents-query.ts';

/** Form for the next turn. A draft can be written while a turn runs. */
export function NextTurn({ workspace: { id, status } }: { workspace: Workspace }) {
  const next = useNextTurn(id);
  const [task, setTask] = useState('');
  const isBusy = status === 'busy';
  const refusal = refusalOf(next.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (task !== '' && !isBusy) next.mutate(task, { onSuccess: () => setTask('') });
  };
  return (
    <form onSubmit={submit} className="shrink-0 border-line border-t px-pad py-2">
      <div className="grid max-w-measure gap-2">
        <TextArea
          label="Next task"
          rows={3}
          value={task}
          placeholder="Next task for the agent, in the same workspace"
          problem={refusal.fields['task_prompt']}
          help={isBusy ? 'A turn is running. The next one can start when it has ended.' : 'The agent continues its conversation.'}
          onChange={(event) => setTask(event.target.value)}
        />
        <FormFoot problem={isBusy ? null : restOf(refusal, ['task_prompt'])}>
          <Button submit primary disabled={task === '' || isBusy || next.isPending}>
            {isBusy ? 'Busy' : 'Send task'}
          </Button>
        </FormFoot>
      </div>
    </form>
  );
}
