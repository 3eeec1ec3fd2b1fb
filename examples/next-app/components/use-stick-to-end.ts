'use client';

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Pixels from the end within which a reader counts as being there. */
const nearEnd = 80;

/** Keeps a scroller at its end while `content` grows, unless the reader has scrolled away from it. */
export function useStickToEnd(content: unknown): RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const onScroll = (): void => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      isAtEnd.current = left < nearEnd;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- that it changed is all that matters.
  }, [content]);

  return scroller;
}
