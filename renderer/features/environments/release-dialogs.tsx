import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import {
  type Deployment,
  type EnvironmentDetail,
  useEnvironments,
  usePromote,
  useRemoveEnvironment,
  useRollback,
} from './environments-query.ts';
import { ReleaseChanges } from './release-changes.tsx';
import { commitInWords, versionInWords } from './words.ts';

interface DialogProps {
  environment: EnvironmentDetail;
  onClose: () => void;
}

/** Sentence about the current and the next version of an environment. */
function versionChange({ name, current_version, current_commit_sha }: EnvironmentDetail, sha: string | null): string {
  const before =
    current_version === null ? 'serves nothing yet' : `serves version ${current_version} (${commitInWords(current_commit_sha)})`;
  return `${name} ${before}, and will serve version ${(current_version ?? 0) + 1} (${sha === null ? 'no commit' : commitInWords(sha)}).`;
}

/** Dialog to promote the version of another environment. */
export function PromoteDialog({ environment, onClose }: DialogProps) {
  const environments = useEnvironments();
  const others = (environments.data ?? []).filter(({ id }) => id !== environment.id);
  const sources = others.filter(({ is_default, current_version }) => is_default || current_version !== null);
  const promote = usePromote(environment.id);
  const [selected, select] = useState('');
  const [note, setNote] = useState('');
  const [isOutdated, setOutdated] = useState(false);
  const source = sources.find(({ id }) => id === selected) ?? sources[0];
  const refusal = refusalOf(promote.error);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!source) return;
    // If a push changed the source after the dialog was opened, the newer version is shown before it can be promoted.
    const latest = (await environments.refetch()).data?.find(({ id }) => id === source.id);
    const isNewer = latest !== undefined && latest.latest_deployment_id !== source.latest_deployment_id;
    setOutdated(isNewer);
    if (isNewer) return;
    const body = { source_env_id: source.id, ...(note.trim() !== '' && { note: note.trim() }) };
    promote.mutate(body, { onSuccess: onClose });
  };
  return (
    <Dialog title={`Promote to ${environment.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="grid gap-3">
        <SelectField
          label="From"
          options={sources.map((option) => ({ id: option.id, label: `${option.name}, ${versionInWords(option)}` }))}
          value={source?.id ?? ''}
          onChange={select}
          problem={refusal.fields.source_env_id}
        />
        <Field label="Note" value={note} placeholder="Refund prompt of Tuesday" onChange={(event) => setNote(event.target.value)} />
        {source && (
          <Text as="p" size="body" tone="quiet">
            {versionChange(environment, source.current_commit_sha)}
          </Text>
        )}
        {source && <ReleaseChanges key={source.id} environmentId={environment.id} deploymentId={source.latest_deployment_id} />}
        {isOutdated && (
          <p role="alert">
            <Text tone="warm">{`${source?.name ?? 'The source'} has a newer deployment. The changes above are up to date now: review them, then promote.`}</Text>
          </p>
        )}
        <FormFoot problem={restOf(refusal, ['source_env_id'])}>
          <Button submit primary disabled={!source || promote.isPending}>
            Promote
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

/** Dialog to deploy an earlier version again, as a new version. */
export function RollbackDialog({ environment, to, onClose }: DialogProps & { to: Deployment }) {
  const rollback = useRollback(environment.id);
  const [note, setNote] = useState('');
  const version = to.env_version ?? 0;
  const refusal = refusalOf(rollback.error);
  const body = { target_version: version, ...(note.trim() !== '' && { note: note.trim() }) };
  return (
    <ConfirmDialog
      title={`Roll ${environment.name} back to version ${version}`}
      action="Roll back"
      isBusy={rollback.isPending}
      problem={refusal.fields.target_version ?? restOf(refusal, [])}
      onConfirm={() => rollback.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{versionChange(environment, to.commit_sha)}</p>
      <ReleaseChanges environmentId={environment.id} deploymentId={to.id} />
      <Field label="Note" value={note} placeholder="Reason" onChange={(event) => setNote(event.target.value)} />
    </ConfirmDialog>
  );
}

/** Confirmation to delete an environment, with the records that are deleted with it. */
export function DeleteDialog({ environment, onClose, onDeleted }: DialogProps & { onDeleted: () => void }) {
  const remove = useRemoveEnvironment();
  const { alert_count, api_key_count, deployment_count, template_snapshot_count } = environment.cascade_preview;
  return (
    <ConfirmDialog
      title={`Delete ${environment.name}`}
      action="Delete environment"
      isBusy={remove.isPending}
      problem={restOf(refusalOf(remove.error), [])}
      onConfirm={() => remove.mutate(environment.id, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      <p>This also deletes:</p>
      <ul aria-label="Also deleted" className="list-disc pl-5 tabular-nums">
        <li>{`${plural(api_key_count, 'API key')}, rejected from then on`}</li>
        <li>{plural(deployment_count, 'deployment')}</li>
        <li>{plural(template_snapshot_count, 'template snapshot')}</li>
        <li>{plural(alert_count, 'alert')}</li>
      </ul>
      <p>Its traces and scores are kept.</p>
    </ConfirmDialog>
  );
}
