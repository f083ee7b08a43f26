import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { downloadLoggedMails, HIDDEN_LINK, type LoggedMail, type listLoggedMails, mailStates } from '#contract/mail.ts'
import { formatShortDateTime, timeZoneHere } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { ChooseDelivery, ChosenDelivery, DeliveryBodies, DeliveryBody, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { StatusBadge, statusFilter } from '../../shared/StatusBadge.tsx'
import { Email } from '../../ui/Address.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { Count } from '../../ui/Money.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { mailWords } from '../../words/mail.ts'
import { pageWords } from '../../words/shell.ts'
import { mailQuery, mails, previewsQuery } from './queries.ts'

const column = defineColumns<typeof listLoggedMails>()

/** Mails of the last 90 days, next to the one that the address names. */
export function MailLog() {
  const list = useList(mails)
  const { table, answer } = list
  const columns = useMemo(listColumns, [])
  const kinds = useQuery(previewsQuery).data?.items ?? []
  return (
    <DeliveryLog
      rows={answer.data?.items}
      failed={answer.isError}
      table={table}
      missing={mailWords.missing}
      panel={(chosen) => <MailPanel key={chosen.id} logged={chosen} />}
    >
      {(chosen) => (
        <DataTable
          name={mailWords.log}
          page={pageWords.mail}
          plural={mailWords.plural}
          rowsAre="mails"
          list={list}
          csv={{ endpoint: downloadLoggedMails }}
          columns={columns}
          filters={[
            statusFilter('state', fieldWords.status, 'mail', mailStates),
            {
              name: 'kind',
              label: fieldWords.kind,
              choices: kinds.map(({ kind, title }) => ({ value: kind, label: title })),
            },
          ]}
          shown={chosen?.id}
          nameOf={({ email }) => email}
          empty={{ icon: <MailIcon />, hint: mailWords.noneYet }}
        />
      )}
    </DeliveryLog>
  )
}

const listColumns = (): ColumnOf<typeof listLoggedMails>[] => [
  column.first(['email'], mailWords.to, {}, ({ id, email }) => (
    <ChooseDelivery id={id}>
      <Email>{email}</Email>
    </ChooseDelivery>
  )),
  column.of('subject', mailWords.subject, { csv: ['subject', 'title'], card: 'under' }, ({ subject, title }) => (
    <>
      {subject ?? title}
      {subject && <p className="muted small">{title}</p>}
    </>
  )),
  column.badge('state', fieldWords.status, 'mail'),
  column.count('attempts', fieldWords.attempts),
  column.moment('createdAt', fieldWords.time, timeZoneHere(), { card: 'figure', sort: true }),
]

/** One mail: its state and reason, and its text if it was stored instead of sent. */
function MailPanel({ logged }: { logged: LoggedMail }) {
  const { state, reason, attempts, lastTriedAt, subject, title, email } = logged
  return (
    <ChosenDelivery heading={subject ?? title}>
      <Facts
        label={subject ?? title}
        facts={[
          { label: mailWords.to, value: email },
          { label: fieldWords.kind, value: title },
          { label: fieldWords.status, value: <StatusBadge of="mail" status={state} /> },
          { label: fieldWords.attempts, value: <Count count={attempts} /> },
          {
            label: mailWords.lastTried,
            value: lastTriedAt ? formatShortDateTime(lastTriedAt, timeZoneHere()) : basicWords.absent,
          },
        ]}
      />
      <DeliveryBodies>
        <p>{mailWords.about[state]}</p>
        {reason && <p className="muted wrap">{reason}</p>}
        {state === 'kept' && <Kept id={logged.id} />}
      </DeliveryBodies>
    </ChosenDelivery>
  )
}

function Kept({ id }: { id: string }) {
  const answer = useQuery(mailQuery(id))
  const { data } = answer
  if (!data) return <Pending answer={answer} rows={4} />
  return (
    <>
      <p className="wrap">
        {mailWords.file}: <code>{data.file}</code>
      </p>
      {data.text === null ? (
        <p>{mailWords.ofAccount}</p>
      ) : (
        <>
          {data.text.includes(HIDDEN_LINK) && <p>{mailWords.hiddenLinks}</p>}
          <DeliveryBody label={mailWords.text}>{data.text}</DeliveryBody>
        </>
      )}
    </>
  )
}
