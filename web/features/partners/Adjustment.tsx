import { useQuery } from '@tanstack/react-query'
import { adjustBalance, NewAdjustment } from '#contract/commissions.ts'
import type { Partner } from '#contract/partners.ts'
import { formatMoney } from '../../format.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { MoneyField, TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'

/** Books a manual amount for or against the partner, and shows the amount due afterwards. */
export const Adjustment = exposeAction(
  defineFormAction(adjustBalance, NewAdjustment, ({ id, stats: { currency } }: Partner) => {
    const due = useQuery(balanceQuery(id)).data?.due
    return {
      heading: partnerWords.acts.adjust,
      why: partnerWords.acts.adjustWhy,
      done: partnerWords.acts.adjustmentDone,
      initial: { amount: '' as number | string, reason: '' },
      fields: ({ field, values: { amount } }) => (
        <>
          <MoneyField {...field('amount')} currency={currency} signed />
          <TextAreaField {...field('reason')} />
          {due !== undefined && (
            <Facts
              beside
              label={fieldWords.balance}
              facts={[
                { label: partnerWords.acts.dueNow, value: formatMoney(due, currency) },
                {
                  label: partnerWords.acts.dueThen,
                  value: formatMoney(due + (typeof amount === 'number' ? amount : 0), currency),
                  strong: true,
                },
              ]}
            />
          )}
        </>
      ),
    }
  }),
  { label: partnerWords.acts.adjust },
)
