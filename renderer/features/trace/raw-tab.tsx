import { exactly } from '../../model/time.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Text } from '../../ui/text.tsx';
import { RawAnswer, type RawQuery } from './raw-answer.tsx';

/** The raw truth: what everything else on the page was derived from. */
export const RawTab = ({ raw }: { raw: RawQuery }) => (
  <RawAnswer raw={raw}>
    {({ resource, scope, span, received_at }) => (
      <>
        <div className="flex items-center gap-2">
          <Text tone="dim" className="flex-1">{`As received ${exactly(received_at)}, in OTLP/JSON`}</Text>
          <CopyButton text={() => JSON.stringify({ resource, scope, span }, null, 2)} label="Copy JSON" />
        </div>
        <JsonView value={{ span, scope, resource }} open={3} />
      </>
    )}
  </RawAnswer>
);
