import type { QueueState } from '#contract/system.ts'
import { formatDuration } from '../../format.ts'
import { Count } from '../../ui/Money.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { basicWords } from '../../words/basic.ts'
import { systemWords } from '../../words/system.ts'
import { queueName } from './names.ts'

/** The queues of background jobs, and the events that start jobs. */
export function Queues({ queues }: { queues: QueueState[] }) {
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
