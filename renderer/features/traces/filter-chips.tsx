import clsx from 'clsx';
import { Fragment } from 'react';
import { chipsOf, type FilterChip } from '../../model/filter/filter-chips.ts';

/** The text of a filter as it was written, its conditions framed and coloured as in the editor. */
export function FilterChips({ text }: { text: string }) {
  const chips = chipsOf(text);
  return (
    <>
      {chips.map((chip, at) => (
        <Fragment key={chip.from}>
          {text.slice(chips[at - 1]?.to ?? 0, chip.from)}
          <Chip text={text} chip={chip} />
        </Fragment>
      ))}
      {text.slice(chips.at(-1)?.to ?? 0)}
    </>
  );
}

const tones = { field: '', operator: 'text-fg-3', word: 'text-fg-3', value: 'text-accent' };

const Chip = ({ text, chip: { tokens, isAboutErrors } }: { text: string; chip: FilterChip }) => (
  <span
    className={clsx(
      'rounded-key',
      isAboutErrors
        ? 'bg-err-bg shadow-[0_0_0_var(--spacing-edge)_var(--color-err-bg)]'
        : 'bg-raised shadow-[0_0_0_var(--spacing-edge)_var(--color-raised)]',
    )}
  >
    {tokens.map(({ from, to, is }, at) => (
      <Fragment key={from}>
        {text.slice(tokens[at - 1]?.to ?? from, from)}
        <span className={isAboutErrors && is === 'value' ? 'text-err' : tones[is]}>{text.slice(from, to)}</span>
      </Fragment>
    ))}
  </span>
);
