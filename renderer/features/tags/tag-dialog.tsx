import { X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { type TagCount, tagLengthMax } from '../../../shared/contract/tracing/trace-tags.ts';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/text/format.ts';
import type { Place } from '../../ui/overlays/chosen-places.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button, IconButton } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { useSettled } from '../../ui/primitives/settled-value.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { useChangeTags, useKnownTags, useTags } from './tags-query.ts';

/** Dialog to add tags to traces, and to remove added ones. */
export function TagDialog({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const traceIds = [...new Set(places.map(({ traceId }) => traceId))];
  const tags = useTags(traceIds);
  const change = useChangeTags(traceIds);
  const [typed, setTyped] = useState('');
  const tag = typed.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tag === '') return;
    // The next tag can be typed at once; one that was refused comes back.
    setTyped('');
    change.mutate({ add: [tag] }, { onError: () => setTyped((next) => (next === '' ? tag : next)) });
  };
  const of = traceIds.length === 1 ? 'this trace' : plural(traceIds.length, 'trace');
  const problem = tags.error ? asFailure(tags.error, 'The tags could not be read').why : null;
  return (
    <Dialog title={`Tags of ${of}`} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        {tags.data && (
          <TagList
            tags={tags.data}
            traces={traceIds.length}
            isBusy={change.isPending}
            onRemove={(old) => change.mutate({ remove: [old] })}
          />
        )}
        <NewTag value={typed} onChange={setTyped} />
        <FormFoot problem={change.error ? asFailure(change.error, 'The tags could not be changed').why : problem}>
          <Button submit primary disabled={tag === ''}>
            Add tag
          </Button>
          <Button onClick={onClose}>Done</Button>
        </FormFoot>
      </form>
    </Dialog>
  );
}

function NewTag({ value, onChange }: { value: string; onChange: (tag: string) => void }) {
  const list = useId();
  const known = useKnownTags(useSettled(value.trim())).data ?? [];
  return (
    <>
      <Field
        autoFocus
        label="New tag"
        value={value}
        list={list}
        maxLength={tagLengthMax}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {known.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  );
}

interface TagListProps {
  tags: readonly TagCount[];
  /** How many traces are tagged at once. */
  traces: number;
  isBusy: boolean;
  onRemove: (tag: string) => void;
}

function TagList({ tags, traces, isBusy, onRemove }: TagListProps) {
  if (tags.length === 0) return <Text tone="dim">{traces === 1 ? 'It has no tags yet.' : 'None of them has a tag yet.'}</Text>;
  return (
    <ul aria-label="Tags" className="grid max-h-64 gap-1 overflow-y-auto">
      {tags.map((count) => (
        <li key={count.tag} className="flex min-h-control min-w-0 items-center gap-2">
          <Pill title={count.tag}>{count.tag}</Pill>
          <Text tone="quiet" size="label" className="min-w-0 flex-1">
            {aboutTag(count, traces)}
          </Text>
          {count.added > 0 && (
            <IconButton label={`Remove tag ${count.tag}`} disabled={isBusy} onClick={() => onRemove(count.tag)}>
              <Icon of={X} />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function aboutTag({ traces: having, added }: TagCount, traces: number): string {
  const share = having < traces ? [`in ${having} of ${traces}`] : [];
  const sent = having - added;
  if (sent === 0) return share.join();
  return [...share, traces === 1 ? 'sent with the trace' : `sent with ${plural(sent, 'trace')}`].join(', ');
}
