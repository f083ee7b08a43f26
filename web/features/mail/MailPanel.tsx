import { useQuery } from '@tanstack/react-query'
import { HIDDEN_LINK, type LoggedMail } from '#contract/mail.ts'
import { formatShortDateTime, timeZoneHere } from '../../format.ts'
import { ChosenDelivery, DeliveryBodies, DeliveryBody } from '../../shared/DeliveryLog.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Count } from '../../ui/Money.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { mailWords } from '../../words/mail.ts'
import { mailQuery } from './queries.ts'

/** One mail: its state and reason, and its text if it was stored instead of sent. */
export function MailPanel({ logged }: { logged: LoggedMail }) {
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
