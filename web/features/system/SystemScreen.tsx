import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#contract/format.ts'
import type { System } from '#contract/system.ts'
import { formatBytes } from '../../format.ts'
import { EntryPage } from '../../shell/EntryPage.tsx'
import { Failed, Panel, Skeleton, TextPlaceholder } from '../../ui/Panel.tsx'
import { StatStrip, WaitingStats } from '../../ui/StatStrip.tsx'
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
    <EntryPage
      about={
        (data || !error) && <span>{data ? systemWords.version({ version: data.version }) : <TextPlaceholder />}</span>
      }
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
    </EntryPage>
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
          { label: systemWords.parked, value: formatNumber(parkedIn(system)), warns: isWrong('parked') },
          { label: systemWords.jobsWaiting, value: formatNumber(jobsWaiting) },
          { label: systemWords.eventsWaiting, value: formatNumber(events.waiting) },
          {
            label: systemWords.mailFailures,
            value: formatNumber(mail.failures),
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
