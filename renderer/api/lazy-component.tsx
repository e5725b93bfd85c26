import { type ComponentType, type ReactNode, use } from 'react';
import { loadCode } from './code.ts';
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
  let Loaded: ComponentType<P> | null = null;
  let loading: Promise<ComponentType<P>> | null = null;
  const onLoaded = (component: ComponentType<P>) => {
    Loaded = component;
    delete LazyComponent.preload;
    return component;
  };
  const start = () => {
    loading ??= loadCode(load).then(onLoaded);
    return loading;
  };
  const LazyComponent: LazyComponent<P> = (props: P) => {
    const Component = Loaded ?? use(start());
    return <Component {...props} />;
  };
  // Errors are thrown by the component when it is drawn.
  LazyComponent.preload = () =>
    start().then(
      () => {},
      () => {},
    );
  prefetch(async () => Loaded ?? onLoaded(await load()));
  return LazyComponent;
}
