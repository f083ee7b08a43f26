import type { ReactNode } from 'react'
import { Panel } from './Panel.tsx'
import { Pending } from './Pending.tsx'

type Answer<T> = { data: T | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }

type Props<T> = {
  heading: string
  answer: Answer<T>
  /** Lines of its skeleton. */
  rows: number
  /** Next to the heading. */
  aside?: (data: T) => ReactNode
  children: (data: T) => ReactNode
}

/** A panel with the result of a query: its skeleton before, and an error in this panel only. */
export function PendingPanel<T>({ heading, answer, rows, aside, children }: Props<T>) {
  const { data } = answer
  return (
    <Panel heading={heading} aside={data !== undefined && aside?.(data)}>
      {data !== undefined ? children(data) : <Pending answer={answer} rows={rows} height={30} />}
    </Panel>
  )
}
