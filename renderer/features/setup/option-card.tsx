import { Text } from '../../ui/primitives/text.tsx';

interface OptionCardProps {
  name: string;
  about: string;
  isOpen: boolean;
  onOpen: () => void;
}

/** One of several programs to set up; its steps are shown below the cards. */
export const OptionCard = ({ name, about, isOpen, onOpen }: OptionCardProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    onClick={onOpen}
    className="grid content-start gap-1 rounded-control border border-line bg-panel p-3 text-left hover:bg-hover aria-expanded:border-accent"
  >
    <Text as="span" size="body" strong>
      {name}
    </Text>
    <Text as="span" tone="quiet">
      {about}
    </Text>
  </button>
);
