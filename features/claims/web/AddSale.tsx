import { useQuery } from '@tanstack/react-query'
import { previewCommission } from '#contract/sales.ts'
import { apiQuery } from '#web/calls.ts'
import { formatMoney, todayIn } from '#web/format.ts'
import { useAccount } from '#web/shell/current.ts'
import { exposeAction } from '#web/ui/actions.tsx'
import { DateField, FieldPair, MoneyField, TextField } from '#web/ui/fields.tsx'
import { defineFormAction } from '#web/ui/form-act.tsx'
import { useDebounced } from '#web/ui/Picker.tsx'
import { fieldWords, labelWords } from '#web/words/fields.ts'
import { acceptClaim, type Claim, ClaimedSale } from '../contract.ts'
import { claimWords as words } from '../text.ts'

/** Records the sale that a claim names, and accepts the claim with it. */
export const AddSale = exposeAction(
  defineFormAction(acceptClaim, ClaimedSale, (claim: Claim) => {
    const { timeZone, defaultCurrency } = useAccount()
    const today = todayIn(timeZone)
    return {
      heading: words.add,
      why: words.addWhy({ partner: claim.partnerName }),
      submit: words.acceptHeading,
      done: words.accepted,
      part: 'sale',
      initial: {
        email: claim.email ?? '',
        amount: '' as number | string,
        saleDate: claim.day ?? today,
        externalId: claim.orderId ?? '',
      },
      send: (sale) => ({ params: { id: claim.id }, body: { sale } }),
      fields: ({ field, values: { amount, saleDate } }) => (
        <>
          <TextField {...field('email', words.customerEmail)} type="email" autoComplete="off" />
          <FieldPair>
            <MoneyField {...field('amount', labelWords.amount)} currency={defaultCurrency} />
            <DateField {...field('saleDate', labelWords.saleDate)} max={today} />
          </FieldPair>
          <TextField {...field('externalId', fieldWords.externalId)} autoComplete="off" optional />
          <WouldEarn claim={claim} amount={amount} currency={defaultCurrency} saleDate={saleDate} />
        </>
      ),
    }
  }),
  { label: words.add, when: ({ state }) => state === 'open' },
)

type EarnProps = { claim: Claim; amount: number | string; currency: string; saleDate: string }

/** The amount that the partner would earn with a sale. */
export function WouldEarn({ claim: { partnerId, partnerName }, currency, ...typed }: EarnProps) {
  const { id } = useAccount()
  const [amount, saleDate] = [useDebounced(typed.amount, 300), useDebounced(typed.saleDate, 300)]
  const isKnown = typeof amount === 'number' && amount > 0 && saleDate !== ''
  const body = { partnerId, amount: Number(amount), currency, saleDate }
  const { data } = useQuery({ ...apiQuery(previewCommission, { params: { id }, body }), enabled: isKnown })
  const own = data?.entries.find((entry) => entry.partnerId === partnerId)
  return (
    <p role="status" className="strong">
      {isKnown &&
        data &&
        words.wouldEarn({ partner: partnerName, amount: formatMoney(own?.amount ?? 0, data.currency) })}
    </p>
  )
}
