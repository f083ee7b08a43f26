import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import type { PushRequest } from '#contract/push.ts'
import { formatCount, formatDateAt, formatTimeWithSeconds } from '../../format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Empty, Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { t } from '../../words.ts'
import styles from './PushData.module.css'
import { pushRequests } from './queries.ts'

/** The latest requests of the account's own systems, with their results. */
export function RequestLog({ account: { id, timeZone } }: { account: Account }) {
  const { data, error, refetch, isFetching } = useQuery(pushRequests(id))
  const heading = t('pushData.log')
  const items = data?.items ?? []
  const refused = items.filter(({ status, rows, failedRows }) => status >= 400 || (rows && rows === failedRows)).length
  const counts = t('pushData.counts', {
    accepted: formatCount(items.length - refused),
    refused: formatCount(refused),
  })
  return (
    <Panel heading={heading} aside={items.length > 0 && counts}>
      {items.length > 0 ? (
        <PlainTable label={heading} rows={items} keyOf={({ id }) => id} columns={columnsIn(timeZone)} />
      ) : data ? (
        <Empty hint={t('pushData.logNone')} />
      ) : error ? (
        <Failed onRetry={refetch} busy={isFetching} why={error.message} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Panel>
  )
}

const columnsIn = (timeZone: string): Column<PushRequest>[] => [
  {
    head: t('pushData.time'),
    cell: ({ createdAt, path }) => (
      <span className={styles.time}>
        <code className={styles.narrowOnly}>{path}</code>
        <span>{formatDateAt(createdAt, timeZone)}</span> <span>{formatTimeWithSeconds(createdAt, timeZone)}</span>
      </span>
    ),
  },
  { head: t('pushData.call'), wideOnly: true, cell: ({ path }) => <code>{t('pushData.post', { path })}</code> },
  {
    head: t('pushData.status'),
    cell: ({ status, failedRows }) => (
      <Badge tone={status >= 400 ? 'failed' : failedRows ? 'needs' : 'done'}>{String(status)}</Badge>
    ),
  },
  { head: t('pushData.result'), cell: (request) => <span className={styles.result}>{resultOf(request)}</span> },
]

function resultOf({ error, rows, failedRows }: PushRequest) {
  if (error) return error.message
  if (rows === null) return t('pushData.accepted')
  return t('pushData.rows', { taken: formatCount(rows - (failedRows ?? 0)), rows: formatCount(rows) })
}
