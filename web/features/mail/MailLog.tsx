import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { downloadLoggedMails, type listLoggedMails, mailStates } from '#contract/mail.ts'
import { formatShortDateTime, timeZoneHere } from '../../format.ts'
import { type ColumnOf, DataTable } from '../../lists/DataTable.tsx'
import { useTable } from '../../lists/useTable.ts'
import { ChooseDelivery, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { Email } from '../../ui/Address.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { Count } from '../../ui/Money.tsx'
import { t } from '../../words.ts'
import styles from './Mail.module.css'
import { MailPanel } from './MailPanel.tsx'
import { mails, mailTable, previews } from './queries.ts'

/** Mails of the last 90 days, next to the one that the address names. */
export function MailLog() {
  const table = useTable(mailTable)
  const answer = useQuery(mails(table.query))
  const columns = useMemo(columnsOf, [])
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
            {
              name: 'state',
              label: t('mail.state'),
              choices: mailStates.map((state) => ({ value: state, label: statusLabel('mail', state) })),
            },
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

const columnsOf = (): ColumnOf<typeof listLoggedMails>[] => [
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
  {
    head: t('mail.state'),
    field: 'state',
    card: 'beside',
    cell: ({ state }) => <StatusBadge of="mail" status={state} />,
  },
  {
    head: t('mail.tries'),
    field: 'tries',
    numeric: true,
    card: 'figure',
    cell: ({ tries }) => <Count count={tries} />,
  },
  {
    head: t('mail.time'),
    field: 'createdAt',
    sort: 'createdAt',
    short: true,
    card: 'figure',
    cell: ({ createdAt }) => formatShortDateTime(createdAt, timeZoneHere()),
  },
]
