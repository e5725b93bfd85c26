/** Draws a canvas at the resolution of the screen. The caller supplies a text alternative. */
import { useCallback, useEffect, useRef, useState } from 'react';

export type Paint = (context: CanvasRenderingContext2D, width: number, height: number) => void;

interface Size {
  width: number;
  height: number;
}

/** The inner size of an element in pixels; 0 until it is known. */
export function useSize<T extends HTMLElement>(): [(element: T | null) => void, Size] {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const observer = useRef<ResizeObserver | null>(null);
  const attach = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    observer.current = new ResizeObserver(measure);
    observer.current.observe(element);
  }, []);
  useEffect(() => () => observer.current?.disconnect(), []);
  return [attach, size];
}

/** The inner width of an element in pixels; 0 until it is known. */
export function useWidth<T extends HTMLElement>(): [(element: T | null) => void, number] {
  const [attach, { width }] = useSize<T>();
  return [attach, width];
}

/** Clears and paints, in CSS pixels. */
export function paintOn(canvas: HTMLCanvasElement | null, width: number, height: number, paint: Paint): void {
  const context = canvas?.getContext('2d');
  if (!canvas || !context || width <= 0) return;
  const ratio = window.devicePixelRatio || 1;
  const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
    canvas.width = pixelWidth;
    canvas.height = pixelHeight;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  paint(context, width, height);
}
