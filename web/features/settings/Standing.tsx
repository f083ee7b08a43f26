import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../shell/current.ts'
import { Message } from '../../ui/Message.tsx'
import { Panel, Skeleton } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import { balance } from './queries.ts'
import styles from './Settings.module.css'

/** The top line: payouts are enabled, or what is missing and who has to do it. */
export function Standing({ partnerId, enabled }: { partnerId: string; enabled: boolean }) {
  const account = useAccount()
  const { data, isLoading } = useQuery(balance(partnerId))
  if (isLoading)
    return (
      <Panel>
        <Skeleton rows={1} height={56} />
      </Panel>
    )
  if (!data) return null
  const blockers = data.blockers
  const heading = !enabled
    ? t('settings.standing.notEnabled')
    : blockers.length > 0
      ? t('settings.standing.missing', { count: blockers.length })
      : t('settings.standing.ready')
  return (
    <Message kind={blockers.length > 0 || !enabled ? 'warning' : 'success'}>
      <strong className={styles.standing}>{heading}</strong>
      {blockers.length === 0 && <p>{t('settings.standing.readyText')}</p>}
      {blockers.map(({ code, message }) => (
        <p key={code}>
          {message}. {t(`settings.standing.next.${code}`, { account: account.displayName })}
        </p>
      ))}
    </Message>
  )
}
