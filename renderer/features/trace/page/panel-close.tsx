import { X } from 'lucide-react';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';

/** Close button of the side panel while the trace is loading. */
export const PanelClose = ({ onClose }: { onClose: () => void }) => (
  <span className="absolute top-0 right-0 z-10 flex h-header items-center px-pad">
    <IconButton label="Close (Esc)" onClick={onClose}>
      <Icon of={X} />
    </IconButton>
  </span>
);
