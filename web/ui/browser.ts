import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, such as '(min-width: 768px)'. */
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

/** Whether the browser has a connection at all. */
export const useOnline = () => useSyncExternalStore(onConnection, () => navigator.onLine)

/** Whether something stands above the page that hears its own keys. */
export const isCovered = () => document.querySelector('dialog[open], [role=dialog], [role=menu]') !== null
