import { type FormEvent, useState } from 'react';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { Action, ActionMenu } from '../../ui/overlays/action-menu.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import type { Alert } from './alerts-query.ts';
import { useMute } from './attention-query.ts';
import { isMuted } from './words.ts';

const hourMs = 3_600_000;
const after = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();

/** Mutes an alert for a while, or ends its mute. The caller shows the error of `mute`. */
export function MuteMenu({ alert, mute }: { alert: Alert; mute: ReturnType<typeof useMute> }) {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      {isMuted(alert) ? (
        <Button disabled={mute.isPending} onClick={() => mute.mutate(null)}>
          Unmute
        </Button>
      ) : (
        <ActionMenu label="Mute" trigger={<Button disabled={mute.isPending}>Mute</Button>}>
          <Action label="For 1 hour" about="Nobody is notified" onSelect={() => mute.mutate(after(1))} />
          <Action label="For 8 hours" about="Nobody is notified" onSelect={() => mute.mutate(after(8))} />
          {alert.status === 'triggered' && (
            <Action label="Until it resolves" about="Nobody is notified before" onSelect={() => mute.mutate('resolved')} />
          )}
          <Action label="Until a time…" about="Choose day and time" onSelect={() => setChoosing(true)} />
        </ActionMenu>
      )}
      {isChoosing && <MuteDialog alert={alert} onClose={() => setChoosing(false)} />}
    </>
  );
}

function MuteDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const mute = useMute(alert.id);
  const [until, setUntil] = useState('');
  const refusal = refusalOf(mute.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (until !== '') mute.mutate(new Date(until).toISOString(), { onSuccess: onClose });
  };
  return (
    <Dialog title={`Mute ${alert.name}`} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Field
          label="Until"
          type="datetime-local"
          autoFocus
          value={until}
          problem={refusal.fields.until}
          help="The alert is still evaluated, and its history is recorded."
          onChange={(event) => setUntil(event.target.value)}
        />
        <FormFoot problem={restOf(refusal, ['until'])}>
          <Button submit primary disabled={until === '' || mute.isPending}>
            Mute alert
          </Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}
