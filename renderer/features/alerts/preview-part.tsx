import { asFailure } from '../../api/failure.ts';
import { useSettled } from '../../ui/primitives/settled-value.ts';
import { Text } from '../../ui/primitives/text.tsx';
import type { AlertFields } from './alert-draft.ts';
import { previewOf } from './alert-draft.ts';
import { SeriesChart, triggersInWords } from './series-chart.tsx';
import { usePreview } from './series-query.ts';

const pauseMs = 500;

/** What an alert would have done in the last seven days; nothing while its condition is not complete. */
export function PreviewPart({ fields }: { fields: AlertFields }) {
  const rule = previewOf(fields);
  const settled = useSettled(rule === null ? null : JSON.stringify(rule), pauseMs);
  const preview = usePreview(settled ?? null);
  if (rule === null) return null;
  const { threshold, metric } = rule;
  const times = preview.data && triggersInWords(preview.data);
  return (
    <section aria-label="Preview" aria-live="polite" className="grid min-h-step content-start gap-2">
      {preview.data && (
        <>
          <Text as="p">{`In the last 7 days this would ${times ? `have triggered ${times}` : 'not have triggered'}.`}</Text>
          <SeriesChart rule={{ metric, threshold }} series={preview.data} periods={preview.data.periods} />
        </>
      )}
      {!preview.data && (
        <Text tone="dim">
          {preview.isError ? asFailure(preview.error, 'The preview could not be computed').why : 'Reading the last 7 days…'}
        </Text>
      )}
    </section>
  );
}
