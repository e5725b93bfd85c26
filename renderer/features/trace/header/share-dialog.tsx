import { type FormEvent, useState } from 'react';
import type { ShareLink } from '../../../../shared/contract/tracing/share-links.ts';
import { asFailure } from '../../../api/failure.ts';
import { refusalOf, restOf } from '../../../api/refusal.ts';
import {
  canBeRevoked,
  hiddenInWords,
  type NewShareLink,
  useMakeShareLink,
  useRevokeShareLink,
  useShareLinks,
  useSharingAllowed,
} from '../../../api/share-links.ts';
import { plural } from '../../../model/text/format.ts';
import { exactly, when } from '../../../model/time/time.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Button } from '../../../ui/primitives/button.tsx';
import { CheckField } from '../../../ui/primitives/check-field.tsx';
import { FailedState } from '../../../ui/primitives/failed-state.tsx';
import { RowAction } from '../../../ui/primitives/row-action.tsx';
import { SelectField } from '../../../ui/primitives/select-field.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { CodeBlock } from '../../../ui/viewers/code-block.tsx';

const lives = [
  { id: '1', label: '1 day' },
  { id: '7', label: '7 days' },
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
] as const;

/** Makes a link to the trace, and lists those that there are. */
export function ShareDialog({ traceId, onClose }: { traceId: string; onClose: () => void }) {
  const isAllowed = useSharingAllowed().data;
  const made = useMakeShareLink();
  return (
    <Dialog title="Share this trace" onClose={onClose}>
      <div className="grid gap-3">
        {isAllowed === false ? (
          <Text as="p" size="body" tone="quiet">
            Links to traces are forbidden in your team. Owners and admins can allow them in the settings, under Shared links.
          </Text>
        ) : made.data ? (
          <NewLink url={made.data.url} expiresAt={made.data.expires_at} onClose={onClose} />
        ) : (
          <LinkForm traceId={traceId} isBusy={made.isPending} problem={restOf(refusalOf(made.error), [])} onMake={made.mutate} />
        )}
        <Links traceId={traceId} />
      </div>
    </Dialog>
  );
}

interface LinkFormProps {
  traceId: string;
  isBusy: boolean;
  problem: string | null;
  onMake: (link: NewShareLink) => void;
}

function LinkForm({ traceId, isBusy, problem, onMake }: LinkFormProps) {
  const [life, setLife] = useState<(typeof lives)[number]['id']>('7');
  const [hides, setHides] = useState({ contents: false, attributes: true, costs: true });
  const change = (part: Partial<typeof hides>) => setHides({ ...hides, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onMake({ trace_id: traceId, expires_in_days: Number(life) as NewShareLink['expires_in_days'], hides });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Text as="p" size="body" tone="quiet">
        Whoever has the link can read this trace without an account, and nothing else. Names of spans, models and services, times and token
        counts are always shown; scores, comments, media, and attributes with ids of sessions and users never are.
      </Text>
      <SelectField label="Works for" options={lives} value={life} onChange={setLife} />
      <div className="grid">
        <CheckField
          label="Hide contents"
          isOn={hides.contents}
          onChange={(contents) => change({ contents })}
          help="inputs, outputs, tool arguments and results, error messages"
        />
        <CheckField label="Hide costs" isOn={hides.costs} onChange={(costs) => change({ costs })} />
        <CheckField
          label="Hide attributes"
          isOn={hides.attributes || hides.contents || hides.costs}
          isDisabled={hides.contents || hides.costs}
          onChange={(attributes) => change({ attributes })}
          help="all but a few standard ones; always hidden with contents or costs"
        />
      </div>
      {problem && (
        <p role="alert" className="text-err text-row">
          {problem}
        </p>
      )}
      <div>
        <Button submit primary aria-busy={isBusy}>
          Make link
        </Button>
      </div>
    </form>
  );
}

const NewLink = ({ url, expiresAt, onClose }: { url: string; expiresAt: string; onClose: () => void }) => (
  <>
    <Text as="p" size="body" tone="warm">
      {`The link works until ${exactly(expiresAt)}. It is shown only this once: copy it now.`}
    </Text>
    <CodeBlock code={url} label="the link" />
    <div>
      <Button primary onClick={onClose}>
        I have copied it
      </Button>
    </div>
  </>
);

function Links({ traceId }: { traceId: string }) {
  const all = useShareLinks(traceId);
  const revoke = useRevokeShareLink();
  const problem = restOf(refusalOf(revoke.error), []);
  if (!all.data)
    return all.isError ? (
      <FailedState failure={asFailure(all.error, 'The links to this trace could not be loaded')} onRetry={() => void all.refetch()} />
    ) : (
      <Text tone="dim">Loading the links to this trace…</Text>
    );
  const links = all.data.filter(canBeRevoked);
  if (links.length === 0) return null;
  return (
    <section aria-label="Links to this trace" className="grid gap-1 border-line border-t pt-3">
      <Text as="h3" size="label" tone="dim">
        {`${plural(links.length, 'link')} to this trace`}
      </Text>
      <ul className="grid">
        {links.map((link) => (
          <li key={link.id} className="flex min-h-row items-center gap-2">
            <Text cut tone="quiet" title={`Made ${exactly(link.created_at)}`}>
              {aboutLink(link)}
            </Text>
            <span className="ml-auto shrink-0">
              <RowAction label={`Revoke the link made ${exactly(link.created_at)}`} onClick={() => revoke.mutate(link.id)}>
                Revoke
              </RowAction>
            </span>
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="text-err text-row">
          {problem}
        </p>
      )}
    </section>
  );
}

const aboutLink = ({ author_name, expires_at, openings, hides, state }: ShareLink): string =>
  `${state === 'forbidden' ? 'Forbidden now: ' : ''}${author_name ?? 'somebody'}, until ${when(expires_at)}, hides ${hiddenInWords(hides)}, opened ${plural(openings, 'time')}`;
