import { Segmented } from '../../../ui/primitives/segmented.tsx';
import type { ViewMode } from './url.ts';

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
}

export const ViewChoice = ({ viewMode, onViewMode }: ViewChoiceProps) => (
  <Segmented label="View" options={options} value={viewMode} onChange={onViewMode} />
);
