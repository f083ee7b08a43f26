import { useQuery } from '@tanstack/react-query'
import { changePartner, type OwnMethod, type Partner, PartnerChange } from '#contract/partners.ts'
import { getPayoutMethods } from '#contract/payout-settings.ts'
import { payoutMethodsQuery } from '../../shared/queries.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { wayWords as words } from '../../words/payout-methods.ts'

const FIRST = 'first'

/** Chooses the way in which a partner is paid, among those that are set up. */
export const PayBy = exposeAction(
  defineFormAction(changePartner, PartnerChange.pick({ payoutMethod: true }), (partner: Partner) => {
    const { data } = useQuery(payoutMethodsQuery(partner.accountId))
    const chosen = partner.payoutMethod
    const on = data?.methods.filter((way) => way.on).map(({ name }) => name) ?? ['manual' as const]
    const choices = [...new Set<OwnMethod>([...on, ...(chosen ? [chosen] : [])])]
    return {
      heading: words.payBy.heading,
      why: words.payBy.why,
      submit: words.payBy.submit,
      done: words.payBy.done,
      initial: { payoutMethod: chosen },
      fields: ({ field }) => {
        const { value, onChange, ...rest } = field('payoutMethod', words.payBy.label)
        return (
          <SelectField
            {...rest}
            value={value ?? FIRST}
            choices={[
              { value: FIRST, label: words.payBy.first },
              ...choices.map((way) => ({ value: way as string, label: words.names[way] })),
            ]}
            onChange={(next) => onChange(next === FIRST ? null : (next as OwnMethod))}
          />
        )
      },
    }
  }),
  { label: words.payBy.heading, needs: getPayoutMethods },
)
