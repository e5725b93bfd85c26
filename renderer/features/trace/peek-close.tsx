import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Where the head of the trace has its cross, for as long as there is no head: a narrow window shows nothing but the peek. */
export const PeekClose = ({ onClose }: { onClose: () => void }) => (
  <span className="absolute top-0 right-0 z-10 flex h-header items-center px-pad">
    <IconButton label="Close (Esc)" onClick={onClose}>
      <Icon of={X} />
    </IconButton>
  </span>
);
