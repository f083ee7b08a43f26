import type { ReactNode } from 'react'
import { CallError } from '../api.ts'
import { Columns } from './Columns.tsx'
import { Page } from './Page.tsx'
import { Failed, Panel, Skeleton } from './Panel.tsx'
import { WaitingStats } from './StatStrip.tsx'

type Props = {
  /** What the page is of, until the thing has a name. */
  heading: string
  parent?: ReactNode
  answer: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** Said of a thing that is not there. */
  gone: string
  /** What is on its way: fields, or figures and what is known beside them. */
  shape: 'form' | 'detail'
}

/** The page of one thing before it is loaded, or when it could not be. */
export function PendingPage({ heading, parent, answer, gone, shape }: Props) {
  const { error, isFetching, refetch } = answer
  const missing = error instanceof CallError && error.status === 404
  return (
    <Page heading={heading} parent={parent}>
      {error ? (
        <Panel>
          <Failed onRetry={refetch} busy={isFetching} why={missing ? gone : error.message} />
        </Panel>
      ) : shape === 'form' ? (
        <Columns form aside={null}>
          <Lines rows={8} />
        </Columns>
      ) : (
        <Columns aside={<Lines rows={6} />}>
          <WaitingStats count={4} />
          <Lines rows={6} />
        </Columns>
      )}
    </Page>
  )
}

const Lines = ({ rows }: { rows: number }) => (
  <Panel>
    <Skeleton rows={rows} />
  </Panel>
)
