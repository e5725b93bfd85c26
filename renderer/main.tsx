import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followGateway } from './api/gateway-live.ts';
import { Providers } from './app/providers.tsx';
import './ui/base.css';
import { applyTheme } from './ui/preferences.ts';

applyTheme();
followGateway();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
