import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Target } from '../../model/setup/setup-lines.ts';
import { SearchField } from '../../ui/primitives/field.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeStep } from './code-step.tsx';
import type { SetupGuide } from './guides/setup-guide.ts';
import { guideGroups, isFound } from './guides/setup-guides.ts';

/** The guides of all frameworks, with a field that narrows the list, and the chosen guide. */
export function GuideList({ target }: { target: Target }) {
  const [query, setQuery] = useState('');
  const [selected, select] = useState<string>();
  const groups = guideGroups(target)
    .map(({ title, guides }) => ({ title, guides: guides.filter((guide) => isFound(guide, query.trim())) }))
    .filter(({ guides }) => guides.length > 0);
  const found = groups.flatMap(({ guides }) => guides);
  const showGeneric = () => {
    setQuery('');
    select('environment');
  };
  const guide = found.find(({ id }) => id === selected) ?? found[0];
  return (
    <section aria-label="Manual setup" className="grid gap-3">
      <div className="flex items-center gap-3">
        <Text as="h2" size="section" strong className="flex-1">
          Manual setup
        </Text>
        <SearchField
          label="Search frameworks"
          className="w-side"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
        />
      </div>
      {guide ? (
        <div className="grid grid-cols-[var(--spacing-side)_minmax(0,1fr)] gap-4">
          <div className="grid content-start gap-3">
            {groups.map(({ title, guides }) => (
              <Group key={title} title={title} guides={guides} selected={guide.id} onSelect={select} />
            ))}
          </div>
          <Steps guide={guide} />
        </div>
      ) : (
        <Text as="p" size="body" tone="quiet">
          No guide is for “{query}”. Any program that exports OpenTelemetry over HTTP works with the settings of{' '}
          <button type="button" onClick={showGeneric} className="text-accent hover:underline">
            Any OpenTelemetry SDK
          </button>
          ; the{' '}
          <Link to="/ingest-log" className="text-accent hover:underline">
            ingest log
          </Link>{' '}
          shows what arrives.
        </Text>
      )}
    </section>
  );
}

interface GroupProps {
  title: string;
  guides: readonly SetupGuide[];
  selected: string;
  onSelect: (id: string) => void;
}

const Group = ({ title, guides, selected, onSelect }: GroupProps) => (
  <section aria-label={title}>
    <Text as="h3" size="label" tone="dim" className="block px-2 pb-1">
      {title}
    </Text>
    <ul className="grid gap-hair">
      {guides.map(({ id, label }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === selected}
            onClick={() => onSelect(id)}
            className="h-row w-full truncate rounded-control px-2 text-left text-fg-2 text-row hover:bg-hover hover:text-fg aria-pressed:bg-select aria-pressed:text-fg"
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  </section>
);

const Steps = ({ guide }: { guide: SetupGuide }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
    <Text as="p" size="body" tone="dim">
      {guide.when}
    </Text>
    {guide.steps.map(({ title, code }) => (
      <CodeStep key={`${guide.id} ${title}`} title={title} code={code} />
    ))}
  </div>
);
