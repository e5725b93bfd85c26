import { Segmented } from '../../../ui/primitives/segmented.tsx';
import { type ViewMode, viewModes } from './url.ts';

const options = [
  { id: 'transcript', label: 'Transcript', hint: 'r' },
  { id: 'tree', label: 'Tree', hint: 't' },
  { id: 'timeline', label: 'Timeline', hint: 'w' },
  { id: 'graph', label: 'Graph', hint: 'a' },
  { id: 'context', label: 'Context', hint: 'x' },
] as const;

interface ViewChoiceProps {
  viewMode: ViewMode;
  onViewMode: (viewMode: ViewMode) => void;
  /** All by default. */
  views?: readonly ViewMode[];
}

export const ViewChoice = ({ viewMode, onViewMode, views = viewModes }: ViewChoiceProps) => (
  <Segmented label="View" options={options.filter(({ id }) => views.includes(id))} value={viewMode} onChange={onViewMode} />
);
