import { useQuery } from '@tanstack/react-query'
import { HIDDEN_LINK, type LoggedMail } from '#contract/mail.ts'
import { formatShortDateTime, timeZoneHere } from '../../format.ts'
import { ChosenDelivery, DeliveryBodies, DeliveryBody } from '../../shared/DeliveryLog.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Count } from '../../ui/Money.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import styles from './Mail.module.css'
import { mail } from './queries.ts'

/** One mail: its state and reason, and its text if it was stored instead of sent. */
export function MailPanel({ logged }: { logged: LoggedMail }) {
  const { state, reason, tries, lastTriedAt, subject, title, email } = logged
  return (
    <ChosenDelivery heading={subject ?? title}>
      <Facts
        label={subject ?? title}
        facts={[
          { label: t('mail.to'), value: <span className={styles.email}>{email}</span> },
          { label: t('mail.kind'), value: title },
          { label: t('mail.state'), value: <StatusBadge of="mail" status={state} /> },
          { label: t('mail.tries'), value: <Count count={tries} /> },
          {
            label: t('mail.lastTried'),
            value: lastTriedAt ? formatShortDateTime(lastTriedAt, timeZoneHere()) : t('absent'),
          },
        ]}
      />
      <DeliveryBodies>
        <p>{t(`mail.about.${state}`)}</p>
        {reason && <p className={styles.reason}>{reason}</p>}
        {state === 'kept' && <Kept id={logged.id} />}
      </DeliveryBodies>
    </ChosenDelivery>
  )
}

function Kept({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useQuery(mail(id))
  if (error) return <Failed onRetry={refetch} busy={isFetching} why={error.message} />
  if (!data) return <Skeleton rows={4} />
  return (
    <>
      <p className={styles.file}>
        {t('mail.file')}: <code>{data.file}</code>
      </p>
      {data.text === null ? (
        <p>{t('mail.ofAccount')}</p>
      ) : (
        <>
          {data.text.includes(HIDDEN_LINK) && <p>{t('mail.hiddenLinks')}</p>}
          <DeliveryBody label={t('mail.text')}>{data.text}</DeliveryBody>
        </>
      )}
    </>
  )
}
