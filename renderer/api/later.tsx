import { type ComponentType, type ReactNode, use } from 'react';
import { comeAhead } from './ahead.ts';
import { codeOf } from './code.ts';

/** A component whose code comes later. */
type Later<P> = ((props: P) => ReactNode) & {
  /** There until the code is: the router waits for it before it leaves the screen that stands. */
  preload?: () => Promise<void>;
};

/**
 * A component whose code comes when the page is at rest, or when it is first drawn. Suspends for as long as the gateway does not answer;
 * throws when the gateway answers and has no such code.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let Shown: ComponentType<P> | null = null;
  let wanted: Promise<ComponentType<P>> | null = null;
  const arrived = (component: ComponentType<P>) => {
    Shown = component;
    delete Later.preload;
    return component;
  };
  const want = () => {
    wanted ??= codeOf(load).then(arrived);
    return wanted;
  };
  const Later: Later<P> = (props: P) => {
    const Now = Shown ?? use(want());
    return <Now {...props} />;
  };
  // What failed is thrown where it is drawn.
  Later.preload = () =>
    want().then(
      () => {},
      () => {},
    );
  comeAhead(async () => Shown ?? arrived(await load()));
  return Later;
}
