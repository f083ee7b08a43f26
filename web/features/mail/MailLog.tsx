import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { downloadLoggedMails, type listLoggedMails, mailStates } from '#contract/mail.ts'
import { timeZoneHere } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useTable } from '../../lists/useTable.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { ChooseDelivery, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { Email } from '../../ui/Address.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { t } from '../../words.ts'
import styles from './Mail.module.css'
import { MailPanel } from './MailPanel.tsx'
import { mails, mailTable, previews } from './queries.ts'

const column = columnsOf<typeof listLoggedMails>()

/** Mails of the last 90 days, next to the one that the address names. */
export function MailLog() {
  const table = useTable(mailTable)
  const answer = useQuery(mails(table.query))
  const columns = useMemo(listColumns, [])
  const kinds = useQuery(previews).data?.items ?? []
  return (
    <DeliveryLog
      rows={answer.data?.items}
      failed={answer.isError}
      table={table}
      missing={t('mail.missing')}
      panel={(chosen) => <MailPanel key={chosen.id} logged={chosen} />}
    >
      {(chosen) => (
        <DataTable
          name={t('mail.log')}
          page={t('pages.mail')}
          plural={t('mail.plural')}
          rowsAre="mails"
          table={table}
          csv={{ endpoint: downloadLoggedMails }}
          answer={answer}
          columns={columns}
          filters={[
            statusFilter('state', t('mail.state'), 'mail', mailStates),
            {
              name: 'kind',
              label: t('mail.kind'),
              choices: kinds.map(({ kind, title }) => ({ value: kind, label: title })),
            },
          ]}
          shown={chosen?.id}
          keyOf={({ id }) => id}
          nameOf={({ email }) => email}
          empty={{ icon: <MailIcon />, hint: t('mail.noneYet') }}
        />
      )}
    </DeliveryLog>
  )
}

const listColumns = (): ColumnOf<typeof listLoggedMails>[] => [
  {
    head: t('mail.to'),
    csv: ['email'],
    cell: ({ id, email }) => (
      <ChooseDelivery id={id} className={styles.email}>
        <Email>{email}</Email>
      </ChooseDelivery>
    ),
  },
  {
    head: t('mail.subject'),
    field: 'subject',
    csv: ['subject', 'title'],
    card: 'under',
    cell: ({ subject, title }) => (
      <>
        {subject ?? title}
        {subject && <span className={styles.kind}>{title}</span>}
      </>
    ),
  },
  column.badge('state', t('mail.state'), 'mail'),
  column.count('tries', t('mail.tries')),
  column.moment('createdAt', t('mail.time'), timeZoneHere(), { card: 'figure', sort: true }),
]
