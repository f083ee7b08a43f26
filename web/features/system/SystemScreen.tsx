import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#contract/format.ts'
import type { QueueState, System } from '#contract/system.ts'
import { formatAgo, formatBytes, formatDuration, timeZoneHere } from '../../format.ts'
import { EntryPage } from '../../shell/EntryPage.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { Count } from '../../ui/Money.tsx'
import { Failed, Panel, Skeleton, TextPlaceholder } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { StatStrip, WaitingStats } from '../../ui/StatStrip.tsx'
import { basicWords } from '../../words/basic.ts'
import { systemWords } from '../../words/system.ts'
import { Cards } from './Cards.tsx'
import { queueName } from './names.ts'
import { Parked, RetryAll } from './Parked.tsx'
import { systemQuery } from './queries.ts'
import { findTroubles, listQueues, parkedIn, type SystemTrouble } from './trouble.ts'

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

/** The queues of background jobs, and the events that start jobs. */
function Queues({ queues }: { queues: QueueState[] }) {
  const repeating = queues.filter(({ parks, failed }) => !parks && failed > 0)
  return (
    <Panel heading={systemWords.queues}>
      <PlainTable label={systemWords.queues} columns={columns()} rows={queues} keyOf={({ name }) => name} />
      {repeating.length > 0 && (
        <p className="muted inset-all">
          {systemWords.notParked({ names: repeating.map(({ name }) => queueName(name)).join(', ') })}
        </p>
      )}
    </Panel>
  )
}

const columns = (): Column<QueueState>[] => [
  { head: systemWords.queue, cell: ({ name }) => queueName(name) },
  { head: systemWords.waiting, numeric: true, cell: ({ waiting }) => <Count count={waiting} /> },
  { head: systemWords.active, numeric: true, wideOnly: true, cell: ({ active }) => <Count count={active} /> },
  {
    head: systemWords.failed,
    numeric: true,
    cell: ({ failed }) => (
      <span className={failed > 0 ? 'strong warning' : undefined}>
        <Count count={failed} />
      </span>
    ),
  },
  {
    head: systemWords.oldest,
    numeric: true,
    cell: ({ oldestSeconds }) => (oldestSeconds === null ? basicWords.absent : formatDuration(oldestSeconds)),
  },
]

/** One line per trouble, with its remedy. */
const Troubles = ({ troubles }: { troubles: SystemTrouble[] }) =>
  troubles.map((trouble) => (
    <Message
      key={trouble.kind}
      kind="warning"
      action={
        trouble.kind === 'mail' && (
          <LinkButton small to="/admin/mail">
            {systemWords.trouble.mailLog}
          </LinkButton>
        )
      }
    >
      {sentenceOf(trouble)}
    </Message>
  ))

function sentenceOf(trouble: SystemTrouble) {
  switch (trouble.kind) {
    case 'late':
      return systemWords.trouble.late({ name: queueName(trouble.queue), time: formatDuration(trouble.seconds) })
    case 'disk':
      return systemWords.trouble.disk({ free: formatBytes(trouble.free), total: formatBytes(trouble.total) })
    case 'connections':
      return systemWords.trouble.connections({ used: formatNumber(trouble.used), max: formatNumber(trouble.max) })
    case 'replica':
      return systemWords.trouble.replica[trouble.state]
    case 'backups':
      return trouble.since
        ? systemWords.trouble.backups({ time: formatAgo(trouble.since, timeZoneHere()) })
        : systemWords.trouble.noBackup
    case 'failing-backups':
      return systemWords.trouble.failingBackups({ time: formatAgo(trouble.since, timeZoneHere()) })
    default:
      return systemWords.trouble[trouble.kind]({ count: trouble.count })
  }
}
