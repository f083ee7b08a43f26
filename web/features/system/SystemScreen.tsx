import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { System } from '#contract/system.ts'
import { formatBytes, formatCount } from '../../format.ts'
import { Page } from '../../ui/Page.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { StatStrip, WaitingStats } from '../../ui/StatStrip.tsx'
import { pageWords } from '../../words/shell.ts'
import { systemWords } from '../../words/system.ts'
import { Cards } from './Cards.tsx'
import { Parked, RetryAll } from './Parked.tsx'
import { Queues } from './Queues.tsx'
import { systemQuery } from './queries.ts'
import { Troubles } from './Troubles.tsx'
import { findTroubles, listQueues, parkedIn } from './trouble.ts'

/** The installation's health, and the failed jobs that need a retry. */
export function SystemScreen() {
  const { data, error, refetch, isFetching } = useQuery(systemQuery)
  return (
    <Page
      heading={pageWords.system}
      parent={<Link to="/admin/accounts">{pageWords.accounts}</Link>}
      about={data && <span>{systemWords.version({ version: data.version })}</span>}
      actions={data && parkedIn(data) > 0 && <RetryAll />}
    >
      {data ? (
        <>
          <Figures system={data} />
          <Parked />
          <Cards system={data} />
          <Queues queues={listQueues(data)} />
        </>
      ) : error ? (
        <>
          <Panel>
            <Failed onRetry={refetch} busy={isFetching} why={error.message} />
          </Panel>
          <Parked />
        </>
      ) : (
        // no placeholder for the list: troubles shown above would move it
        <>
          <WaitingStats count={5} />
          <Panel heading={systemWords.queues}>
            <Skeleton rows={8} />
          </Panel>
        </>
      )}
    </Page>
  )
}

/** The troubles, and the figures that quantify them. */
function Figures({ system }: { system: System }) {
  const troubles = findTroubles(system)
  const isWrong = (one: (typeof troubles)[number]['kind']) => troubles.some(({ kind }) => kind === one)
  const { events, mail, storage } = system
  const jobsWaiting = system.queues.reduce((sum, { waiting }) => sum + waiting, 0)
  return (
    <>
      <Troubles troubles={troubles} />
      <StatStrip
        label={systemWords.figures}
        stats={[
          { label: systemWords.parked, value: formatCount(parkedIn(system)), warns: isWrong('parked') },
          { label: systemWords.jobsWaiting, value: formatCount(jobsWaiting) },
          { label: systemWords.eventsWaiting, value: formatCount(events.waiting) },
          {
            label: systemWords.mailFailures,
            value: formatCount(mail.failures),
            note: systemWords.lastDay,
            warns: isWrong('mail'),
          },
          {
            label: systemWords.freeSpace,
            value: formatBytes(storage.freeBytes),
            note: systemWords.ofTotal({ total: formatBytes(storage.totalBytes) }),
            warns: isWrong('disk'),
          },
        ]}
      />
    </>
  )
}
