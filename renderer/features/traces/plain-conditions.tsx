import { X } from 'lucide-react';
import { Icon } from '../../ui/primitives/icon.tsx';
import { changedView, plainConditions, type TracesView } from './url.ts';

const labels = { name: 'Name', environment: 'Environment', dataset_run_id: 'Run', commit_sha: 'Commit' } as const;

/** Conditions that the filter text cannot express, each with a button to remove it. */
export const PlainConditions = ({ view, onView }: { view: TracesView; onView: (view: TracesView) => void }) => (
  <span className="flex min-w-0 gap-1 overflow-hidden">
    {plainConditions.map((key) => {
      const value = view[key];
      if (value === undefined) return null;
      return (
        <button
          key={key}
          type="button"
          title={`Remove filter ${labels[key]}: ${value}`}
          onClick={() => onView(changedView(view, { [key]: undefined }))}
          className="flex h-pill min-w-0 items-center gap-1 rounded-pill bg-select px-2 text-fg-2 text-label hover:text-fg"
        >
          <span className="shrink-0 text-fg-3">{labels[key]}</span>
          <span className="truncate">{value}</span>
          <Icon of={X} size="small" />
        </button>
      );
    })}
  </span>
);
