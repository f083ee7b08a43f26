import { useCallback, useSyncExternalStore } from 'react'

/** Returns whether a media query matches, such as '(min-width: 768px)'. */
export function useMediaQuery(query: string) {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

function onConnection(changed: () => void) {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Returns whether the browser has a connection at all. */
export const useOnline = () => useSyncExternalStore(onConnection, () => navigator.onLine)

/** Returns whether a layer with its own keys is open above the page. */
export const isCovered = () => document.querySelector('dialog[open], :popover-open') !== null

/** A ref of the element that takes the focus as soon as its popover opens. React does not write this attribute. */
export const focusedFirst = (element: HTMLElement | null) => element?.setAttribute('autofocus', '')
