import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { RowMapping } from '../../../shared/contract/projects/datasets.ts';
import { MappingError, type RowSource, rowOf } from '../../../shared/row-mapping.ts';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { count, plural } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Card } from '../../ui/primitives/card.tsx';
import { Field } from '../../ui/primitives/field.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { JsonView } from '../../ui/viewers/json-view.tsx';
import { type Candidate, useImport, useSource } from './datasets-query.ts';
import type { ImportSource } from './url.ts';

/** Parses `key = $.path` pairs, separated by commas. */
function metadataOf(typed: string): Record<string, string> {
  const pairs = typed.split(',').flatMap((pair): [string, string][] => {
    const [key = '', path = ''] = pair.split('=').map((part) => part.trim());
    return key && path ? [[key, path]] : [];
  });
  return Object.fromEntries(pairs);
}

function mappingOf(input: string, expected: string, metadata: string): RowMapping {
  return {
    ...(input.trim() === '' ? {} : { input: input.trim() }),
    ...(expected.trim() === '' ? {} : { expected_output: expected.trim() }),
    ...(metadata.trim() === '' ? {} : { metadata: metadataOf(metadata) }),
  };
}

export function MappingForm({ name, from, selected }: { name: string; from: ImportSource; selected: readonly Candidate[] }) {
  const [input, setInput] = useState('');
  const [expected, setExpected] = useState('');
  const [metadata, setMetadata] = useState('');
  const whyNot = useWhyNot()('dataset.write');
  const add = useImport(name, from);
  const mapping = mappingOf(input, expected, metadata);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ ids: selected.map(({ traceId, spanId }) => spanId || traceId), mapping });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label="Mapping" tabIndex={0} className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto p-4">
      <form onSubmit={submit} className="grid gap-3">
        <div className="grid grid-cols-2 gap-3">
          <Field label="Input" value={input} placeholder="props, otherwise $.input" onChange={(event) => setInput(event.target.value)} />
          <Field label="Expected output" value={expected} placeholder="$.output" onChange={(event) => setExpected(event.target.value)} />
        </div>
        <Field
          label="Metadata"
          value={metadata}
          placeholder={from === 'traces' ? 'user = $.user_id, first = $.spans[0].name' : 'model = $.model, trace = $.trace_id'}
          help="Paths into the source: $ is the whole value, $.a.b a field, $.list[0] an item."
          onChange={(event) => setMetadata(event.target.value)}
        />
        <div className="flex items-center gap-2">
          <Button submit primary whyNot={whyNot} disabled={selected.length === 0 || add.isPending}>
            {selected.length === 0 ? 'Select rows from the list' : `Add ${plural(selected.length, 'row')}`}
          </Button>
          {add.isError && <Text tone="err">{asFailure(add.error, 'The rows could not be added').why}</Text>}
        </div>
      </form>
      {add.data && <Outcome name={name} results={add.data.results} added={add.data.added} />}
      <Preview candidate={selected[0]} mapping={mapping} />
    </section>
  );
}

type Results = readonly { source_id: string; status: 'created' | 'failed'; error?: string | undefined }[];

function Outcome({ name, added, results }: { name: string; added: number; results: Results }) {
  const failed = results.filter(({ status }) => status === 'failed');
  return (
    <div role="status" className="grid gap-1">
      <Text tone="ok">
        {`${count(added)} of ${plural(results.length, 'row')} added. `}
        <Link to="/datasets" search={{ name }} className="text-accent hover:underline">
          Open dataset
        </Link>
      </Text>
      {failed.map(({ source_id, error }) => (
        <Text key={source_id} as="p" mono tone="err" className="wrap-anywhere">{`${source_id}: ${error}`}</Text>
      ))}
    </div>
  );
}

function previewOf(source: RowSource, mapping: RowMapping): { row: object } | { problem: string } {
  try {
    return { row: rowOf(source, mapping) };
  } catch (error) {
    if (error instanceof MappingError) return { problem: error.message };
    throw error;
  }
}

function Preview({ candidate, mapping }: { candidate: Candidate | undefined; mapping: RowMapping }) {
  const source = useSource(candidate);
  if (!candidate) return null;
  if (source.isPending) return <SkeletonCards label="Loading the preview" />;
  if (!source.data) return <Text tone="err">{asFailure(source.error ?? new Error('It is no longer stored'), '').why}</Text>;
  const preview = previewOf(source.data as RowSource, mapping);
  return (
    <Card
      head={<span>{`Preview of the row from ${candidate.name || 'the first item'}`}</span>}
      edge={'problem' in preview ? 'err' : 'plain'}
    >
      {'problem' in preview ? <Text tone="err">{preview.problem}</Text> : <JsonView value={preview.row} open={3} />}
      <Text as="p" size="label" tone="dim" className="pt-2">
        Texts over 8 KiB are shortened here; the row has them in full.
      </Text>
    </Card>
  );
}
