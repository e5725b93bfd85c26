import { CheckField } from '../../ui/primitives/check-field.tsx';

/** Options for the start of forwarding. */
export interface StartOptions {
  with_all: boolean;
  automatic: boolean;
  is_paused: boolean;
}

export const defaultStartOptions: StartOptions = { with_all: false, automatic: true, is_paused: false };

/** Checkboxes for the start of forwarding. */
export const StartOptionFields = ({ value, onChange }: { value: StartOptions; onChange: (change: Partial<StartOptions>) => void }) => (
  <div className="grid">
    <CheckField
      label="Forward automatically"
      isOn={value.automatic}
      onChange={(automatic) => onChange({ automatic })}
      help="if off, only traces that you forward manually"
    />
    <CheckField label="Also forward stored traces" isOn={value.with_all} onChange={(with_all) => onChange({ with_all })} />
    <CheckField
      label="Start paused"
      isOn={value.is_paused}
      onChange={(is_paused) => onChange({ is_paused })}
      help="to set redaction rules first"
    />
  </div>
);
