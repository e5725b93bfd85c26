import { getRouteApi, Link } from '@tanstack/react-router';
import { openValve } from '../../../shared/contract/valve.ts';
import { useKnownDestinations } from '../../api/forwarding.ts';
import { refusalOf, restOf } from '../../api/refusal.ts';
import { ScreenHeader } from '../../ui/list-screen.tsx';
import { Text } from '../../ui/text.tsx';
import { ValveEditor } from './valve-editor.tsx';
import { useKeepPolicy } from './valve-query.ts';

const route = getRouteApi('/forwarding/privacy');

/** What would leave this machine, and what stays. */
export function PrivacyScreen() {
  const { name, trace } = route.useSearch();
  const destination = useKnownDestinations().find((each) => each.name === name);
  const keep = useKeepPolicy(name ?? '');
  const saving = { save: keep.mutate, isBusy: keep.isPending, problem: restOf(refusalOf(keep.error), []) };
  return (
    <>
      <title>Privacy · Glasshouse</title>
      <ScreenHeader title="What leaves">
        <Text tone="dim" cut>
          {destination ? `for ${destination.name}` : 'rules to try'}
        </Text>
        <Link to="/forwarding" className="ml-auto shrink-0 text-fg-2 text-row hover:text-fg hover:underline">
          Back to Cloud
        </Link>
      </ScreenHeader>
      <ValveEditor
        key={JSON.stringify([destination?.name, destination?.policy])}
        policy={destination?.policy ?? openValve}
        traceId={trace}
        {...(destination && { saving })}
      />
    </>
  );
}
