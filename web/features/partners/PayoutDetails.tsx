import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import type { PayoutSettings } from '#contract/payout-settings.ts'
import { isExpired } from '#contract/tax-rules.ts'
import { formatDate, formatDateAt, todayIn, yearOf } from '../../format.ts'
import { payoutSettings } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { t } from '../../words.ts'
import styles from './Partners.module.css'

type Props = { partner: Partner; onRecordForm: () => void }

/** The partner's bank account, by its last four digits, and the tax form on file. */
export function PayoutDetails({ partner, onRecordForm }: Props) {
  const { timeZone } = useAccount()
  const thisYear = yearOf(todayIn(timeZone))
  const heading = t('partners.payoutDetails.heading')
  return (
    <PendingPanel
      heading={heading}
      answer={useQuery(payoutSettings(partner.id))}
      rows={3}
      aside={({ enabled }) => (
        <Badge tone={enabled ? 'done' : 'needs'}>
          {t(enabled ? 'partners.payoutDetails.set' : 'partners.payoutDetails.notSet')}
        </Badge>
      )}
    >
      {(settings) => (
        <>
          {!settings.enabled && <p className={styles.hint}>{t('partners.payoutDetails.why')}</p>}
          <Facts label={heading} facts={[...accountFacts(settings, timeZone), formFact(partner, thisYear)]} />
          <div className={styles.buttons}>
            <Button small onClick={onRecordForm}>
              {t('partners.payoutDetails.recordForm')}
            </Button>
          </div>
        </>
      )}
    </PendingPanel>
  )
}

function accountFacts({ depositInfo, updatedAt }: PayoutSettings, timeZone: string): Fact[] {
  if (!depositInfo) return []
  const { accountType, accountNumber } = depositInfo
  const type = t(`partners.payoutDetails.types.${accountType}`)
  return [
    {
      label: t('partners.payoutDetails.account'),
      value: t('partners.payoutDetails.masked', { type, digits: accountNumber.slice(-4) }),
    },
    ...(updatedAt ? [{ label: t('partners.payoutDetails.changed'), value: formatDateAt(updatedAt, timeZone) }] : []),
  ]
}

function formFact({ taxForm }: Partner, year: number): Fact {
  const label = t('partners.payoutDetails.formOnFile')
  if (!taxForm) return { label, value: t('absent') }
  const kind = t(`partners.payoutDetails.forms.${taxForm.kind}`)
  const value = t('partners.payoutDetails.form', { kind, date: formatDate(taxForm.receivedOn) })
  if (!isExpired(taxForm, year)) return { label, value }
  return { label, value: t('partners.payoutDetails.expired', { form: value }), warns: true }
}
