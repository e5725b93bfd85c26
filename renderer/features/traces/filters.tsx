import { X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, SearchField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useKeys } from '../../ui/keys.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type TraceFilter, type TracesView, traceFilters } from './url.ts';

interface FiltersProps {
  view: TracesView;
  onNarrow: (change: Partial<Record<TraceFilter, unknown>>) => void;
}

const statuses = [
  { id: 'all', label: 'All' },
  { id: 'ERROR', label: 'Failed' },
  { id: 'OK', label: 'Succeeded' },
] as const;

export function Filters({ view, names, onNarrow }: FiltersProps & { names: readonly string[] }) {
  return (
    <>
      <NameFilter key={view.name ?? ''} name={view.name ?? ''} names={names} onName={(name) => onNarrow({ name })} />
      <Segmented
        label="Status"
        options={statuses}
        value={view.status ?? 'all'}
        onChange={(status) => onNarrow({ status: status === 'all' ? undefined : status })}
      />
      <MoreFilters view={view} onNarrow={onNarrow} />
      <Chips view={view} onNarrow={onNarrow} />
    </>
  );
}

/** Names match exactly, so the filter waits for Enter, and offers the names that are on the page. */
function NameFilter({ name, names, onName }: { name: string; names: readonly string[]; onName: (name: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const [text, setText] = useState(name);
  useKeys('Traces', [{ on: ['/'], label: 'Filter by name', run: () => field.current?.focus() }]);
  const type = (next: string) => {
    setText(next);
    // Emptied, or picked from the list: nothing is left to wait for.
    if (next !== name && (next === '' || names.includes(next))) onName(next);
  };
  return (
    <form
      className="w-form shrink"
      onSubmit={(event) => {
        event.preventDefault();
        onName(text);
      }}
    >
      <SearchField
        ref={field}
        label="Exact name"
        hint="/"
        list={id}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <datalist id={id}>
        {names.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </form>
  );
}

const words: Record<TraceFilter, string> = {
  status: 'status',
  name: 'name',
  model: 'model',
  user_id: 'user',
  session_id: 'session',
  tag: 'tag',
  start_date: 'from',
  end_date: 'to',
};

const fields = [
  { key: 'model', label: 'Model', placeholder: 'gpt-4o' },
  { key: 'user_id', label: 'User' },
  { key: 'session_id', label: 'Session' },
  { key: 'tag', label: 'Tags', placeholder: 'prod, checkout', help: 'Traces with any of them. Separate several with commas.' },
  { key: 'start_date', label: 'From', type: 'date' },
  { key: 'end_date', label: 'To', type: 'date' },
] as const;

const shown = (value: TracesView[TraceFilter]) => (Array.isArray(value) ? value.join(', ') : (value ?? ''));

function MoreFilters({ view, onNarrow }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.currentTarget)].map(([key, value]) => [key, String(value).trim()]));
    const tag = (given.tag ?? '').split(',').flatMap((each) => each.trim() || []);
    onNarrow({ ...given, tag });
    setOpen(false);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button>Filter…</Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          className="enter-layer z-30 w-form rounded-card border border-line-2 bg-panel p-3 shadow-layer"
        >
          <form onSubmit={apply} className="grid grid-cols-2 gap-3">
            {fields.map(({ key, ...field }) => (
              <div key={key} className={'type' in field ? '' : 'col-span-2'}>
                <Field name={key} defaultValue={shown(view[key])} {...field} />
              </div>
            ))}
            <div className="col-span-2 flex justify-end gap-2">
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button submit primary>
                Apply
              </Button>
            </div>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The filters that the bar does not show by itself, each with a way out. */
function Chips({ view, onNarrow }: FiltersProps) {
  const active = traceFilters.filter((key) => key !== 'status' && key !== 'name' && view[key] !== undefined);
  return (
    <div className="flex min-w-0 gap-1 overflow-hidden">
      {active.map((key) => (
        <button
          key={key}
          type="button"
          title={`Remove the filter ${words[key]}: ${shown(view[key])}`}
          onClick={() => onNarrow({ [key]: undefined })}
          className="flex h-pill min-w-0 items-center gap-1 rounded-pill bg-select px-2 text-fg-2 text-label hover:text-fg"
        >
          <span className="shrink-0 text-fg-3">{words[key]}</span>
          <span className="truncate">{shown(view[key])}</span>
          <Icon of={X} size="small" />
        </button>
      ))}
    </div>
  );
}
