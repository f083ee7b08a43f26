import { useLocation, useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Cursors of the pages seen before this one. */
    trail?: readonly string[]
  }
}

type Search = Record<string, unknown>

/**
 * Returns the address's search parameters as text, and a function that changes some: undefined or '' drops one. With
 * `push` Back returns here, as for pages and tabs; filters and sorts replace the entry.
 */
export function useAddress() {
  const router = useRouter()
  const params = useLocation({ select: ({ search }) => search as Search })
  function change(
    some: Record<string, string | undefined>,
    { trail = [], push = false, toTop = false }: { trail?: readonly string[]; push?: boolean; toTop?: boolean } = {},
  ) {
    const next = { ...(router.state.location.search as Search), ...some }
    const search = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''))
    return router.navigate({
      to: '.',
      search: () => search,
      state: (before) => ({ ...before, trail }),
      replace: !push,
      resetScroll: toTop,
    })
  }
  return { params, change }
}
