import type { ReactNode } from 'react'
import { CallError } from '../api.ts'
import { Page } from './Page.tsx'
import { Failed, Panel, Skeleton } from './Panel.tsx'

type Props = {
  /** What the page is of, until the thing has a name. */
  heading: string
  parent?: ReactNode
  answer: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** Said of a thing that is not there. */
  gone: string
}

/** The page of one thing before it is loaded, or when it could not be. */
export function PendingPage({ heading, parent, answer, gone }: Props) {
  const { error, isFetching, refetch } = answer
  const missing = error instanceof CallError && error.status === 404
  return (
    <Page heading={heading} parent={parent}>
      <Panel>
        {error ? (
          <Failed onRetry={refetch} busy={isFetching} why={missing ? gone : error.message} />
        ) : (
          <Skeleton rows={8} />
        )}
      </Panel>
    </Page>
  )
}
