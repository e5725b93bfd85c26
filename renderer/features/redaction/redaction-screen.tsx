import { getRouteApi, Link } from '@tanstack/react-router';
import { noRedaction } from '../../../shared/contract/operations/redaction.ts';
import { useKnownDestinations } from '../../api/forwarding.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { RedactionEditor } from './redaction-editor.tsx';
import { useSavePolicy } from './redaction-query.ts';

const route = getRouteApi('/forwarding/redaction');

/** Redaction screen: rules, preview and token lookup. */
export function RedactionScreen() {
  const { name, trace } = route.useSearch();
  const destination = useKnownDestinations().find((known) => known.name === name);
  const save = useSavePolicy(name ?? '');
  const saving = { save: save.mutate, isBusy: save.isPending, problem: restOf(refusalOf(save.error), []) };
  return (
    <>
      <title>Redaction rules · Glasshouse</title>
      <ScreenHeader title="Redaction rules">
        <Text tone="dim" cut>
          {destination ? `for ${destination.name}` : 'preview only'}
        </Text>
        <Link to="/forwarding" className="ml-auto shrink-0 text-fg-2 text-row hover:text-fg hover:underline">
          Back to Cloud
        </Link>
      </ScreenHeader>
      <RedactionEditor
        key={JSON.stringify([destination?.name, destination?.policy])}
        policy={destination?.policy ?? noRedaction}
        traceId={trace}
        {...(destination && { saving })}
      />
    </>
  );
}
