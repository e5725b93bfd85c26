import { CheckField } from '../../ui/primitives/check-field.tsx';

/** How forwarding begins. */
export interface Beginning {
  with_all: boolean;
  automatic: boolean;
  is_paused: boolean;
}

export const usualBeginning: Beginning = { with_all: false, automatic: true, is_paused: false };

/** Choice of the data to send, and of its start. */
export const BeginChoices = ({ value, onChange }: { value: Beginning; onChange: (change: Partial<Beginning>) => void }) => (
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
