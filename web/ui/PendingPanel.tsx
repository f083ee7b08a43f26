import type { ReactNode } from 'react'
import { Failed, Panel, Skeleton } from './Panel.tsx'

type Answer<T> = { data: T | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }

type Props<T> = {
  heading: string
  answer: Answer<T>
  /** Lines of its skeleton. */
  rows: number
  /** Beside the heading. */
  aside?: (data: T) => ReactNode
  children: (data: T) => ReactNode
}

/** A panel that shows what a query answers: its skeleton before, and what failed in this panel alone. */
export function PendingPanel<T>({ heading, answer, rows, aside, children }: Props<T>) {
  const { data, error, isFetching, refetch } = answer
  return (
    <Panel heading={heading} aside={data !== undefined && aside?.(data)}>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <Failed onRetry={refetch} busy={isFetching} why={error.message} />
      ) : (
        <Skeleton rows={rows} height={30} />
      )}
    </Panel>
  )
}
