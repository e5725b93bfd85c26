import { CheckField } from '../../ui/primitives/check-field.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { Text } from '../../ui/primitives/text.tsx';

/** Consent to share this window with coding agents. */
export function ShareWindow() {
  const [isShared, share] = usePreference(preference.isWindowShared);
  return (
    <div className="grid gap-1">
      <CheckField label="Share this window with coding agents" isOn={isShared} onChange={share} />
      <Text as="p" tone="quiet">
        Agents on this machine then see which trace and span you are looking at and the text you have selected, and can open a place here
        with a note. Ask: what am I looking at?
      </Text>
    </div>
  );
}
