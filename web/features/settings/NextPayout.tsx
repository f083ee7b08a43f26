import { useQuery } from '@tanstack/react-query'
import { getPayoutSettings } from '#contract/payout-settings.ts'
import { formatDate, formatMoney, todayIn, toYear } from '../../format.ts'
import { nextPayday, paydaysLabel } from '../../shared/paydays.ts'
import { balanceQuery, partnerQuery, payoutSettingsQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'

/** Date and amount of the next payout. */
export function NextPayout({ partnerId }: { partnerId: string }) {
  const account = useAccount()
  const heading = settingsWords.yourNextPayout
  const answer = useQuery(balanceQuery(partnerId))
  const { data } = answer
  const self = useQuery(partnerQuery(partnerId)).data
  const mayRead = usePermission()(getPayoutSettings)
  const saved = useQuery({ ...payoutSettingsQuery(partnerId), enabled: mayRead }).data
  const year = toYear(todayIn(account.timeZone))
  if (!data)
    return (
      <Panel heading={heading}>
        <Pending answer={answer} rows={4} />
      </Panel>
    )
  const money = (amount: number) => formatMoney(amount, data.currency)
  const approved = self?.approvedPayoutYears?.includes(year)
  const { first, waits } = nextPayday(data)
  const facts: Fact[] = [
    { label: fieldWords.due, value: money(data.due), strong: true },
    { label: settingsWords.held, value: money(data.held + data.onHold) },
    {
      label: settingsWords.minimumShort,
      value: account.minimumPayout > 0 ? money(account.minimumPayout) : settingsWords.noMinimum,
    },
    // a payday every day needs no mention
    account.paydays.every !== 'day' && { label: fieldWords.paydays, value: paydaysLabel(account.paydays) },
    {
      label: settingsWords.nextDate,
      value: waits ? settingsWords.notYet : first ? formatDate(first.date) : basicWords.absent,
      warns: waits,
    },
    first && { label: settingsWords.nextAmount, value: money(first.amount) },
    approved !== undefined && {
      label: settingsWords.approvedFor({ year }),
      value: approved ? settingsWords.yes : settingsWords.notYet,
      warns: !approved,
    },
    saved && { label: settingsWords.formOnFile, value: saved.formOnFile ? settingsWords.yes : settingsWords.notYet },
  ]
  return (
    <Panel heading={heading}>
      <Facts label={heading} facts={facts} />
    </Panel>
  )
}
