import { plural } from '../../../model/text/format.ts';
import { type FoundDocument, readDocuments } from '../../../model/trace/documents.ts';
import { isMedia, readMedia } from '../../../model/trace/media.ts';
import type { Payload } from '../../../model/trace/payload.ts';
import { Card } from '../../../ui/primitives/card.tsx';
import { CopyIcon } from '../../../ui/primitives/copy-button.tsx';
import { Text } from '../../../ui/primitives/text.tsx';
import { JsonView } from '../../../ui/viewers/json-view.tsx';
import { LongText } from '../../../ui/viewers/long-text.tsx';
import { AttributeList } from './attribute-list.tsx';
import { MessageMedia } from './message-media.tsx';

/** A payload that is not a conversation: documents, media, JSON or text. */
export function PayloadView({ payload, title, text }: { payload: Exclude<Payload, { form: 'messages' }>; title: string; text: string }) {
  if (payload.form === 'empty') return null;
  const documents = payload.form === 'json' ? readDocuments(payload.value) : null;
  if (documents) return <Documents documents={documents} title={title} />;
  const vectors = payload.form === 'json' ? readVectors(payload.value) : null;
  return (
    <Card
      head={
        <>
          <span>{title}</span>
          {vectors && (
            <Text size="label" tone="dim" className="font-normal">
              {vectors}
            </Text>
          )}
        </>
      }
      actions={<CopyIcon text={() => text} label={`Copy ${title}`} />}
    >
      {payload.form === 'text' ? (
        <LongText text={payload.text} />
      ) : isMedia(payload.value) ? (
        <MessageMedia part={readMedia(payload.value)} />
      ) : (
        <JsonView value={payload.value} open={vectors ? 1 : 3} />
      )}
    </Card>
  );
}

/** Summary of embeddings, whose numbers are of no use to a reader; null for other values. */
function readVectors(value: object): string | null {
  const lists = Array.isArray(value) ? value : Object.values(value).find(Array.isArray);
  if (!Array.isArray(lists) || lists.length === 0) return null;
  const isVector = (list: unknown): list is number[] =>
    Array.isArray(list) && list.length > 8 && list.every((item) => typeof item === 'number');
  if (isVector(lists)) return `1 vector, ${plural(lists.length, 'dimension')}`;
  const sizes = lists.map((list) => (list as { $vector?: unknown } | null)?.$vector ?? (isVector(list) ? list.length : null));
  return sizes.every((size) => typeof size === 'number')
    ? `${plural(lists.length, 'vector')}, ${plural(sizes[0] as number, 'dimension')}`
    : null;
}

const score = ({ score: value, isDistance }: FoundDocument) =>
  value === null ? '' : `${isDistance ? 'distance' : 'score'} ${Number(value.toPrecision(4))}`;

function Documents({ documents, title }: { documents: readonly FoundDocument[]; title: string }) {
  return (
    <>
      <Text as="h3" size="label" tone="dim">{`${title}, ${plural(documents.length, 'document')}`}</Text>
      {documents.map((document, i) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: a document is identified by its rank
          key={i}
          head={
            <>
              <Text size="label" tone="dim" className="num">
                {`${i + 1}`}
              </Text>
              <span className="truncate">{document.id || 'document'}</span>
              <Text size="label" tone="quiet" className="num ml-auto shrink-0">
                {score(document)}
              </Text>
            </>
          }
          actions={<CopyIcon text={() => document.content} label="Copy document" />}
        >
          <LongText text={document.content} />
          {Object.keys(document.metadata).length > 0 && (
            <div className="mt-2 border-line border-t pt-1">
              <AttributeList list={Object.entries(document.metadata).map(([key, value]) => ({ key, value }))} />
            </div>
          )}
        </Card>
      ))}
    </>
  );
}
