import { useState } from 'react'

/** Rows that were ticked, kept from page to page. */
export type Selection<Row> = {
  rows: Row[]
  count: number
  has: (key: string) => boolean
  set: (rows: Row[], chosen: boolean) => void
  clear: () => void
}

/** What of a table is selected; give it a `key` of the list it belongs to, so that another list starts with none. */
export function useSelection<Row>(keyOf: (row: Row) => string): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  return {
    rows: [...chosen.values()],
    count: chosen.size,
    has: (key) => chosen.has(key),
    set: (rows, on) =>
      setChosen((before) => {
        const next = new Map(before)
        for (const row of rows) {
          if (on) next.set(keyOf(row), row)
          else next.delete(keyOf(row))
        }
        return next
      }),
    clear: () => setChosen(new Map()),
  }
}
