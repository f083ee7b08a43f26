import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import { formatNumber } from '#contract/format.ts'
import { formatDateAt, formatTimeWithSeconds } from '#web/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Empty, Panel } from '#web/ui/Panel.tsx'
import { Pending } from '#web/ui/Pending.tsx'
import { type Column, PlainTable } from '#web/ui/PlainTable.tsx'
import { fieldWords } from '#web/words/fields.ts'
import type { PushRequest } from '../contract.ts'
import { pushDataWords } from '../text.ts'
import { pushRequestsQuery } from './queries.ts'

/** The latest requests of the account's own systems, with their results. */
export function RequestLog({ account: { id, timeZone } }: { account: Account }) {
  const answer = useQuery(pushRequestsQuery(id))
  const heading = pushDataWords.log
  const items = answer.data?.items ?? []
  const refused = items.filter(({ status, rows, failedRows }) => status >= 400 || (rows && rows === failedRows)).length
  const counts = pushDataWords.counts({
    accepted: formatNumber(items.length - refused),
    refused: formatNumber(refused),
  })
  return (
    <Panel heading={heading} aside={items.length > 0 && counts}>
      {items.length > 0 ? (
        <PlainTable label={heading} rows={items} columns={columnsIn(timeZone)} />
      ) : answer.data ? (
        <Empty hint={pushDataWords.logNone} />
      ) : (
        <Pending answer={answer} rows={4} />
      )}
    </Panel>
  )
}

const columnsIn = (timeZone: string): Column<PushRequest>[] => [
  {
    head: fieldWords.time,
    cell: ({ createdAt }) => (
      <span className="plain">
        <span className="whole">{formatDateAt(createdAt, timeZone)}</span>{' '}
        <span className="whole">{formatTimeWithSeconds(createdAt, timeZone)}</span>
      </span>
    ),
  },
  {
    head: pushDataWords.call,
    under: true,
    cell: ({ path }) => <code className="wrap">{pushDataWords.post({ path })}</code>,
  },
  {
    head: fieldWords.code,
    cell: ({ status, failedRows }) => (
      <Badge tone={status >= 400 ? 'failed' : failedRows ? 'needs' : 'done'}>{String(status)}</Badge>
    ),
  },
  { head: fieldWords.result, cell: (request) => <span className="wrap">{resultOf(request)}</span> },
]

function resultOf({ error, rows, failedRows }: PushRequest) {
  if (error) return error.message
  if (rows === null) return pushDataWords.accepted
  return pushDataWords.rows({ taken: formatNumber(rows - (failedRows ?? 0)), rows: formatNumber(rows) })
}
