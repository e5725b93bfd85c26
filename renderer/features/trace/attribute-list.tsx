import { unquoted } from '../../model/messages.ts';
import { type Attribute, inWords } from '../../model/otlp-value.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { LongText } from '../../ui/long-text.tsx';

/** Text that is short enough to be read as it is stays as it is, JSON or not. */
const readableChars = 80;

function Value({ value }: { value: unknown }) {
  const read = typeof value === 'string' && value.length > readableChars ? unquoted(value) : value;
  if (typeof read === 'object' && read !== null) return <JsonView value={read} open={1} />;
  return <LongText text={inWords(read)} mono />;
}

export const AttributeList = ({ list }: { list: readonly Attribute[] }) => (
  <KeyValues rows={list.map(({ key, value }) => ({ key, value: <Value value={value} />, text: inWords(value) }))} />
);
