import { Bookmark } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ColumnChoice } from '../../model/filter/column-choice.ts';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { Popup } from '../../ui/overlays/popup.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { Icon } from '../../ui/primitives/icon.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { readTracesUrl, type TracesView } from './url.ts';

interface ViewsMenuProps {
  view: TracesView;
  columns: readonly ColumnChoice[];
  onView: (view: TracesView, columns: readonly ColumnChoice[]) => void;
}

const searchOf = ({ peek: _, ...view }: TracesView) => formatSearch(view);

/** Menu of saved views. */
export function ViewsMenu({ view, columns, onView }: ViewsMenuProps) {
  const [saved, setSaved] = usePreference(preference.savedViews);
  const [isOpen, setOpen] = useState(false);
  const search = searchOf(view);
  const current = saved.find((view) => view.search === search);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name === '') return;
    setSaved([...saved.filter((other) => other.name !== name), { name, search, columns: [...columns] }]);
    setOpen(false);
  };
  return (
    <Popup
      label="Saved views"
      isOpen={isOpen}
      onOpenChange={setOpen}
      className="grid w-form gap-1"
      trigger={
        <Button title="Saved views">
          <Icon of={Bookmark} size="small" />
          <span className="max-w-step truncate">{current?.name ?? 'Views'}</span>
        </Button>
      }
    >
      {saved.length === 0 && (
        <Text as="p" size="row" tone="dim" className="px-2 pt-2">
          No saved views yet. A view keeps the filter, time range, sort order and columns.
        </Text>
      )}
      <ul className="grid">
        {saved.map((each) => (
          <li key={each.name} className="flex h-row items-center rounded-kind hover:bg-hover">
            <button
              type="button"
              onClick={() => {
                onView(readTracesUrl(parseSearch(each.search)), each.columns);
                setOpen(false);
              }}
              className={`h-row min-w-0 flex-1 truncate px-2 text-left text-row ${each === current ? 'text-accent' : 'text-fg-2'}`}
            >
              {each.name}
            </button>
            <button
              type="button"
              onClick={() => setSaved(saved.filter((other) => other !== each))}
              className="h-row shrink-0 px-2 text-fg-3 text-label hover:text-err"
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={save} className="flex items-end gap-2 border-line border-t p-2">
        <span className="min-w-0 flex-1">
          <Field label="Save current view as" name="name" maxLength={100} defaultValue={current?.name} placeholder="failed in production" />
        </span>
        <Button submit primary>
          Save
        </Button>
      </form>
    </Popup>
  );
}
