import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError } from '../api.ts'
import { toastRefusal } from '../ui/refusals.ts'
import { useAddress } from '../ui/useAddress.ts'
import type { List } from './list-of.ts'
import { tableQuery } from './table-state.ts'

/** Maximum rows of a page of the server. */
const PAGE = 100
/** Maximum selected rows: they are processed one by one. */
export const MOST_SELECTED = 1000

/** Ticked rows, kept across pages. */
export type Selection<Row> = {
  rows: Row[]
  count: number
  has: (key: string) => boolean
  set: (rows: Row[], chosen: boolean) => void
  clear: () => void
  /** Selects all selectable rows of the list, up to `MOST_SELECTED`, page by page; `anew` without those selected before. */
  setAll: (selectable: (row: Row) => boolean, anew?: 'anew') => Promise<void>
  /** Rows `setAll` has read so far; null while it does not run. */
  read: number | null
  cancel: () => void
}

type Page<Row> = { items: Row[]; nextCursor: string | null }

/**
 * Returns the selection of a declared list, and reads the rest of it; its component needs a `key` of the list, so that
 * another list starts without a selection.
 */
export function useSelection<Row, L, P extends Page<Row>, Search>(
  list: List<L, P, Search>,
  keyOf: (row: P['items'][number]) => string,
): Selection<P['items'][number]> {
  const query = tableQuery(useAddress().params, list.table)
  const pageQuery = (page: { limit: number; cursor: string | undefined }) =>
    list.page({ ...query, ...page } as unknown as Search)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const [read, setRead] = useState<number | null>(null)
  const canceled = useRef(false)
  const client = useQueryClient()
  const latest = useRef(pageQuery)
  latest.current = pageQuery
  /** Returns the list's identity: another search or filter makes it another list. */
  const identity = () => hashKey(latest.current({ limit: PAGE, cursor: undefined }).queryKey)

  const set = (rows: Row[], on: boolean) =>
    setChosen((before) => {
      const next = new Map(before)
      for (const row of rows) {
        if (on) next.set(keyOf(row), row)
        else next.delete(keyOf(row))
      }
      return next
    })

  async function setAll(selectable: (row: Row) => boolean, anew?: 'anew') {
    canceled.current = false
    const identityBefore = identity()
    const before = anew ? new Map<string, Row>() : chosen
    if (anew) setChosen(before)
    const found = new Map(before)
    let [count, cursor]: [number, string | undefined] = [0, undefined]
    setRead(0)
    try {
      do {
        const query = pageQuery({ limit: PAGE, cursor })
        const page = await client.fetchQuery<Page<Row>>({
          ...(query as object),
          queryKey: query.queryKey,
          staleTime: 0,
        })
        if (canceled.current || identity() !== identityBefore) return
        for (const row of page.items) {
          if (selectable(row) && found.size < MOST_SELECTED) found.set(keyOf(row), row)
        }
        count += page.items.length
        cursor = page.nextCursor ?? undefined
        setRead(count)
      } while (cursor && found.size < MOST_SELECTED)
      // rows that were unticked meanwhile stay so
      setChosen((now) => new Map([...found].filter(([key]) => now.has(key) || !before.has(key))))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toastRefusal(error)
    } finally {
      setRead(null)
    }
  }

  const cancel = () => {
    canceled.current = true
  }

  return {
    rows: [...chosen.values()],
    count: chosen.size,
    has: (key) => chosen.has(key),
    set,
    clear() {
      cancel()
      setChosen(new Map())
    },
    setAll,
    read,
    cancel,
  }
}
