/**
 * Pages, each with its key after `g`. Pages about the gateway are at the bottom of the rail; a page with a capability key exists only where the
 * gateway serves it.
 */
import {
  ArrowDownToLine,
  Bot,
  ChartColumn,
  ClipboardCheck,
  CloudUpload,
  Database,
  FlaskConical,
  Layers,
  ListChecks,
  ListTree,
  PlugZap,
  ScrollText,
  Settings,
  Star,
  Table2,
} from 'lucide-react';
import { useServed } from '../api/served.ts';

const allPages = [
  { to: '/traces', label: 'Traces', letter: 't', icon: ListTree },
  { to: '/sessions', label: 'Sessions', letter: 's', icon: Layers },
  { to: '/dashboard', label: 'Dashboard', letter: 'd', icon: ChartColumn },
  { to: '/scores', label: 'Scores', letter: 'c', icon: Star },
  { to: '/queues', label: 'Queues', letter: 'q', icon: ListChecks, needs: 'annotation_queues' },
  { to: '/workers', label: 'Coding agents', letter: 'w', icon: Bot, needs: 'workers' },
  { to: '/datasets', label: 'Datasets', letter: 'a', icon: Table2 },
  { to: '/experiments', label: 'Experiments', letter: 'e', icon: FlaskConical },
  { to: '/evals', label: 'Eval runs', letter: 'v', icon: ClipboardCheck, needs: 'viewer_evals' },
  { to: '/prompts', label: 'Prompts', letter: 'p', icon: ScrollText },
  { to: '/forwarding', label: 'Cloud', letter: 'f', icon: CloudUpload, isFoot: true, needs: 'forwarding' },
  { to: '/ingest-log', label: 'Ingest log', letter: 'i', icon: ArrowDownToLine, isFoot: true },
  { to: '/storage', label: 'Storage', letter: 'o', icon: Database, isFoot: true, needs: 'viewer_storage' },
  { to: '/setup', label: 'Set up', letter: 'u', icon: PlugZap, isFoot: true },
  { to: '/settings', label: 'Settings', letter: ',', icon: Settings, isFoot: true, needs: 'auth' },
] as const;

export type Page = (typeof allPages)[number];

export function usePages(): readonly Page[] {
  const isServed = useServed();
  return allPages.filter((page) => !('needs' in page) || isServed(page.needs));
}
