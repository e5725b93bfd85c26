import { getRouteApi } from '@tanstack/react-router';
import { openValve } from '../../../shared/contract/valve.ts';
import { ScreenHeader } from '../../ui/list-screen.tsx';
import { Text } from '../../ui/text.tsx';
import { ValveEditor } from './valve-editor.tsx';

const route = getRouteApi('/forwarding/privacy');

/** What would leave this machine, and what stays. */
export function PrivacyScreen() {
  const { name, trace } = route.useSearch();
  return (
    <>
      <title>Privacy · Glasshouse</title>
      <ScreenHeader title="What leaves">
        <Text tone="dim" cut>
          {name ? `for ${name}` : 'rules to try'}
        </Text>
      </ScreenHeader>
      <ValveEditor key={name} policy={openValve} traceId={trace} />
    </>
  );
}
