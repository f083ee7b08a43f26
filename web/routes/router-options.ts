import type { AnyRouter } from '@tanstack/react-router'
import { Loader } from '../shell/Loader.tsx'
import { Crashed } from './screens.tsx'

export const routerOptions = {
  notFoundMode: 'root',
  // All search parameters are text.
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: object) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text && `?${text}`
  },
  defaultErrorComponent: Crashed,
  defaultPendingComponent: Loader,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  // Keeps links that the pointer only passes over from loading anything.
  defaultPreloadDelay: 150,
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
} as const

/** Moves the focus to the heading of each new screen. */
export function watchScreens(router: AnyRouter) {
  // A new heading takes the focus by itself; this handles screens that only change their content.
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) document.querySelector<HTMLElement>('h1')?.focus()
  })
}
