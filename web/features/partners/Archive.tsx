import { useQuery } from '@tanstack/react-query'
import { archivePartner, type Partner, PartnerArchiving } from '#contract/partners.ts'
import { formatMoney } from '../../format.ts'
import { balanceQuery } from '../../shared/queries.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { RadioField, TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { partnerWords } from '../../words/partners.ts'

/**
 * Archives the partner after choosing what happens to the sub-partners and the open balance, shown with count and sum.
 */
export const Archive = exposeAction(
  defineFormAction(archivePartner, PartnerArchiving, ({ id, displayName: name, stats }: Partner) => {
    const money = useQuery(balanceQuery(id)).data
    const open = money && money.held + money.due + money.onHold
    return {
      heading: partnerWords.acts.archiveHeading,
      why: partnerWords.acts.archiveWhy({ name }),
      submit: partnerWords.acts.archive,
      done: partnerWords.acts.archiveDone({ name }),
      initial: { subPartners: 'move-up' as 'move-up' | 'keep', balance: 'pay-out' as 'pay-out' | 'void', reason: '' },
      send: (body) => ({
        params: { id },
        body: { ...body, ...(open !== undefined && { shown: { openBalance: open } }) },
      }),
      fields: ({ field, values }) => (
        <>
          {stats.numberOfPartners > 0 && (
            <RadioField
              {...field('subPartners')}
              help={partnerWords.acts.subPartnersNow({ count: stats.numberOfPartners })}
              choices={[
                { value: 'move-up', label: partnerWords.acts.moveUp },
                { value: 'keep', label: partnerWords.acts.keep },
              ]}
            />
          )}
          <RadioField
            {...field('balance')}
            help={open !== undefined && partnerWords.acts.openNow({ amount: formatMoney(open, stats.currency) })}
            choices={[
              { value: 'pay-out', label: partnerWords.acts.payOut },
              { value: 'void', label: partnerWords.acts.void },
            ]}
          />
          <TextAreaField {...field('reason')} optional={values.balance === 'pay-out'} />
        </>
      ),
    }
  }),
  { label: partnerWords.acts.archive, when: ({ state }) => state !== 'archived' },
)
