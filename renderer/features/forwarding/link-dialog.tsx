import { type FormEvent, useState } from 'react';
import type { ForwardingLink } from '../../../shared/contract/operations/forwarding-links.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { when } from '../../model/time/time.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyButton } from '../../ui/primitives/copy-button.tsx';
import { webAddress } from '../../ui/primitives/external-link.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useCancelLink, useLink, useStartLink } from './links-query.ts';
import { defaultStartOptions, StartOptionFields } from './start-options.tsx';

/** Dialog to link this machine to a cloud: its address, the code to compare there, and the result. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const start = useStartLink();
  const started = start.data?.data;
  return (
    <Dialog title="Link to a cloud" onClose={onClose}>
      {started ? (
        <Progress started={started} onRestart={() => start.reset()} onClose={onClose} />
      ) : (
        <Address start={start} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Address({ start, onClose }: { start: ReturnType<typeof useStartLink>; onClose: () => void }) {
  const [draft, setDraft] = useState({ url: '', ...defaultStartOptions });
  const refusal = refusalOf(start.error);
  const isReady = draft.url.trim() !== '' && !start.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) start.mutate({ ...draft, url: draft.url.trim() });
  };
  return (
    <form onSubmit={submit} aria-label="Link to a cloud" className="grid gap-3">
      <Field
        label="Cloud address"
        autoFocus
        value={draft.url}
        placeholder="https://glasshouse.example.com"
        problem={refusal.fields.url}
        help="Address of its dashboard. You choose the app and environment there."
        onChange={(event) => setDraft({ ...draft, url: event.target.value })}
      />
      <StartOptionFields value={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
      <FormFoot problem={restOf(refusal, ['url'])}>
        <Button submit primary disabled={!isReady} aria-busy={start.isPending}>
          {start.isPending ? 'Contacting the cloud…' : 'Get a code'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormFoot>
    </form>
  );
}

const outcomeLabels = { linked: 'Linked', denied: 'Denied', expired: 'The code has expired', failed: 'Linking failed' } as const;

function Progress({ started, onRestart, onClose }: { started: ForwardingLink; onRestart: () => void; onClose: () => void }) {
  const link = useLink(started).data;
  const cancel = useCancelLink(started.id);
  if (link.is === 'waiting') return <Code link={link} onCancel={() => cancel.mutate(null, { onSettled: onClose })} />;
  const isLinked = link.is === 'linked';
  return (
    <div className="grid gap-3" role="status">
      <Text as="p" size="body" strong tone={isLinked ? 'ok' : 'err'}>
        {outcomeLabels[link.is]}
      </Text>
      <Text as="p" tone="quiet" className="wrap-anywhere">
        {isLinked ? `This machine forwards to ${link.destination} from now on.` : link.problem}
      </Text>
      <div className="flex gap-2">
        {!isLinked && (
          <Button primary onClick={onRestart}>
            Start again
          </Button>
        )}
        <Button primary={isLinked} onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

function Code({ link: { user_code, verification_url, expires_at }, onCancel }: { link: ForwardingLink; onCancel: () => void }) {
  const page = webAddress(verification_url);
  return (
    <div className="grid gap-3">
      <Text as="p" tone="quiet">
        Open this page, sign in, compare the codes and approve the link. If the codes differ, deny it.
      </Text>
      <p data-code className="select-all py-2 text-center font-mono font-strong text-code tracking-widest">
        {user_code}
      </p>
      <Text as="p" mono className="wrap-anywhere text-center">
        {verification_url}
      </Text>
      <Text as="p" tone="dim" className="text-center">
        <span role="status">{`Waiting for approval. The code is valid until ${when(expires_at)}.`}</span>
      </Text>
      <div className="flex flex-wrap justify-center gap-2">
        {page && (
          <Button primary onClick={() => void window.open(page.href, '_blank', 'noopener,noreferrer')}>
            Open page
          </Button>
        )}
        <CopyButton text={() => verification_url} label="Copy address" />
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
