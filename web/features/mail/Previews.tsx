import { useQuery } from '@tanstack/react-query'
import type { MailPreview } from '#contract/mail.ts'
import { ChooseDelivery, ChosenDelivery, DeliveryBodies, DeliveryBody, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { fieldWords } from '../../words/fields.ts'
import { mailWords } from '../../words/mail.ts'
import { mailPreview, previews } from './queries.ts'

/** Every kind of mail, next to a preview of the one that the address names. */
export function Previews() {
  const answer = useQuery(previews)
  const rows = answer.data?.items.map((item) => ({ ...item, id: item.kind }))
  return (
    <DeliveryLog
      rows={rows}
      failed={answer.isError}
      missing={mailWords.missing}
      panel={(chosen) => <Preview key={chosen.kind} of={chosen} />}
    >
      {() => (
        <PendingPanel heading={mailWords.previews} answer={answer} rows={12}>
          {({ items }) => (
            <PlainTable
              label={mailWords.previews}
              rows={items}
              keyOf={({ kind }) => kind}
              columns={[
                { head: fieldWords.email, cell: titleCell },
                { head: mailWords.description, wideOnly: true, cell: ({ description }) => description },
              ]}
            />
          )}
        </PendingPanel>
      )}
    </DeliveryLog>
  )
}

const titleCell = ({ kind, title }: MailPreview) => <ChooseDelivery id={kind}>{title}</ChooseDelivery>

function Preview({ of: { kind, title, description, subject, page } }: { of: MailPreview }) {
  const { data, error, refetch, isFetching } = useQuery(mailPreview(kind))
  return (
    <ChosenDelivery
      heading={title}
      aside={
        <a href={page} target="_blank" rel="noreferrer">
          {mailWords.open}
        </a>
      }
    >
      <Facts label={title} facts={[{ label: mailWords.subject, value: subject }]} />
      <DeliveryBodies>
        <p>{description}</p>
        {error ? (
          <Failed onRetry={refetch} busy={isFetching} why={error.message} />
        ) : data ? (
          <DeliveryBody label={mailWords.text}>{data.text}</DeliveryBody>
        ) : (
          <Skeleton rows={8} />
        )}
      </DeliveryBodies>
    </ChosenDelivery>
  )
}
