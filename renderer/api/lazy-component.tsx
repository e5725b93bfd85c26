import { type ComponentType, type ReactNode, use } from 'react';
import { codeOf } from './code.ts';
import { prefetch } from './prefetch.ts';

/** Component whose code is loaded separately. */
type LazyComponent<P> = ((props: P) => ReactNode) & {
  /** Set until the code is loaded: the router waits for it before it leaves the current screen. */
  preload?: () => Promise<void>;
};

/**
 * Component whose code is prefetched when the page is idle, or loaded when it is first drawn. Suspends while the gateway does not answer;
 * throws when the gateway answers without the code.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): LazyComponent<P> {
  let Shown: ComponentType<P> | null = null;
  let wanted: Promise<ComponentType<P>> | null = null;
  const arrived = (component: ComponentType<P>) => {
    Shown = component;
    delete LazyComponent.preload;
    return component;
  };
  const want = () => {
    wanted ??= codeOf(load).then(arrived);
    return wanted;
  };
  const LazyComponent: LazyComponent<P> = (props: P) => {
    const Now = Shown ?? use(want());
    return <Now {...props} />;
  };
  // Errors are thrown by the component when it is drawn.
  LazyComponent.preload = () =>
    want().then(
      () => {},
      () => {},
    );
  prefetch(async () => Shown ?? arrived(await load()));
  return LazyComponent;
}
