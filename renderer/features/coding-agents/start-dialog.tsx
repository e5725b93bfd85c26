import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { useCreateWorkspace, useStartRun } from './coding-agents-query.ts';

type Kind = 'workspace' | 'run';

const kinds = [
  { id: 'workspace', label: 'Workspace' },
  { id: 'run', label: 'Single run' },
] as const;

/** An empty field is omitted, so that the gateway uses its default. */
const optionalField = <K extends string>(name: K, value: string) =>
  value.trim() === '' ? {} : ({ [name]: value.trim() } as Record<K, string>);

interface StartDialogProps {
  onClose: () => void;
  onCreated: (envId: string) => void;
  onStarted: (runId: string) => void;
}

/** Sends a task to an agent: in a workspace that takes further tasks, or as a single run. */
export function StartDialog({ onClose, onCreated, onStarted }: StartDialogProps) {
  const create = useCreateWorkspace();
  const start = useStartRun();
  const [kind, setKind] = useState<Kind>('workspace');
  const [{ task, name, repo, branch }, setDraft] = useState({ task: '', name: '', repo: '', branch: '' });
  const write = (field: string) => (event: { target: { value: string } }) =>
    setDraft((draft) => ({ ...draft, [field]: event.target.value }));
  const isWorkspace = kind === 'workspace';
  const refusal = refusalOf(isWorkspace ? create.error : start.error);
  const isReady = task !== '' && !create.isPending && !start.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const body = { task_prompt: task, ...optionalField('repo', repo) };
    if (!isWorkspace) return start.mutate(body, { onSuccess: ({ run_id }) => onStarted(run_id) });
    const workspace = { ...body, ...optionalField('name', name), ...optionalField('branch', branch) };
    create.mutate(workspace, { onSuccess: ({ environment_id }) => onCreated(environment_id) });
  };
  return (
    <Dialog title="New task" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <span className="justify-self-start">
          <Segmented label="Kind" options={kinds} value={kind} onChange={setKind} />
        </span>
        <TextArea
          label="Task"
          autoFocus
          rows={6}
          value={task}
          problem={refusal.fields['task_prompt']}
          help={isWorkspace ? 'The first turn. More can follow.' : 'Runs once, on a branch of its own.'}
          onChange={write('task')}
        />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="Repository"
            value={repo}
            placeholder="owner/repository"
            problem={refusal.fields['repo']}
            help="Leave empty for the linked repository."
            onChange={write('repo')}
          />
          {isWorkspace && (
            <Field
              label="Base branch"
              value={branch}
              placeholder="main"
              problem={refusal.fields['branch']}
              help="Leave empty for the default branch."
              onChange={write('branch')}
            />
          )}
        </div>
        {isWorkspace && <Field label="Name" value={name} problem={refusal.fields['name']} onChange={write('name')} />}
        <FormFoot problem={restOf(refusal, ['task_prompt', 'repo', 'branch', 'name'])}>
          <Button submit primary disabled={!isReady}>
            {isWorkspace ? 'Create workspace' : 'Start run'}
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
