import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followGateway } from '../api/gateway-live.ts';
import { loadIdentity } from '../api/sign-in.ts';
import { applyTheme } from '../ui/primitives/preferences.ts';
import { Providers } from './providers.tsx';

export function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  applyTheme();
  void loadIdentity();
  followGateway();
  createRoot(root).render(
    <StrictMode>
      <Providers />
    </StrictMode>,
  );
}
