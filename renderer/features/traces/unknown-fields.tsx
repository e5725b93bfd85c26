import type { UnknownField } from '../../model/filter/searched-filter.ts';
import { Text } from '../../ui/primitives/text.tsx';

interface UnknownFieldsProps {
  unknown: readonly UnknownField[];
  onFilter: (filter: string) => void;
}

/** Says which conditions of the search are on fields that do not exist, and are searched for as words. */
export function UnknownFields({ unknown, onFilter }: UnknownFieldsProps) {
  // An address such as `https://example.org?a=b` was not meant as a field.
  const meant = unknown.filter(({ field, fix }) => fix !== null || /^[\w.-]+$/.test(field));
  if (meant.length === 0) return null;
  return (
    <div role="status" className="grid shrink-0 border-line border-b px-pad py-1 text-fg-2 text-label">
      {meant.map(({ field, words, fix }) => (
        <p key={words} title={words} className="min-w-0 truncate leading-6">
          {`There is no field “${shortened(field)}”. `}
          {fix && (
            <>
              {'Did you mean '}
              <button type="button" onClick={() => onFilter(fix.text)} className="text-accent hover:underline">
                {fix.field}
              </button>
              {'? '}
            </>
          )}
          <Text size="label" tone="dim">{`“${words}” is searched for as words.`}</Text>
        </p>
      ))}
    </div>
  );
}

const shortened = (field: string): string => (field.length > 40 ? `${field.slice(0, 40).toWellFormed()}…` : field);
