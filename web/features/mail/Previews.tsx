import { useQuery } from '@tanstack/react-query'
import type { MailPreview } from '#contract/mail.ts'
import { ChooseDelivery, ChosenDelivery, DeliveryBodies, DeliveryBody, DeliveryLog } from '../../shared/DeliveryLog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { fieldWords } from '../../words/fields.ts'
import { mailWords } from '../../words/mail.ts'
import { mailPreviewQuery, previewsQuery } from './queries.ts'

/** Every kind of mail, next to a preview of the one that the address names. */
export function Previews() {
  const answer = useQuery(previewsQuery)
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
  const answer = useQuery(mailPreviewQuery(kind))
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
        {answer.data ? (
          <DeliveryBody label={mailWords.text}>{answer.data.text}</DeliveryBody>
        ) : (
          <Pending answer={answer} rows={8} />
        )}
      </DeliveryBodies>
    </ChosenDelivery>
  )
}
