import type { ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';

interface ActOutcomeProps {
  /** What was done, a sentence. */
  outcome: string;
  /** Link to the result. */
  link?: ReactNode;
  onClose: () => void;
}

/** The end of a dialog that has done its work. */
export const ActOutcome = ({ outcome, link, onClose }: ActOutcomeProps) => (
  <div className="grid gap-3">
    <p role="status" className="text-body text-ok">
      {outcome} {link}
    </p>
    <Button className="justify-self-start" onClick={onClose}>
      Close
    </Button>
  </div>
);

/** Style of the link. */
export const outcomeLink = 'text-accent hover:underline';
