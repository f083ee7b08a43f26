import { startBulkAction } from '#contract/bulk-actions.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import { type Reach, TermsChange } from '#contract/terms.ts'
import { type Many, startedFrom } from '../../shared/bulk-actions.ts'
import { ReachField } from '../../shared/ReachField.tsx'
import { TermsFields } from '../../shared/TermsFields.tsx'
import { type TermsValue, useAccountTerms } from '../../shared/terms.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { CheckboxField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'
import { termsWords } from '../../words/terms.ts'

const Rates = TermsChange.pick({ terms: true, appliesTo: true, notifyPartners: true })

/** Saves the same rates as the next version of each partner’s terms, in the background. */
export const ChangeRatesOfMany = defineFormAction(
  startBulkAction,
  Rates,
  ({ grouped, ...many }: Many & { grouped: boolean }) => {
    const account = useOwnAccount()
    const inherited = useAccountTerms(account)
    const rates = inherited.otherwise.layerRates ?? [0]
    return {
      heading: partnerWords.bulk.ratesHeading({ count: many.ids.length }),
      submit: termsWords.save,
      initial: {
        terms: simpleTerms({ layerRates: [...rates] }) as TermsValue | null,
        appliesTo: 'new-customers' as Reach,
        notifyPartners: false,
      },
      send: (change) => ({
        params: { id: many.accountId },
        body: { action: 'change-partner-terms', ids: many.ids, change },
      }),
      part: 'change',
      done: startedFrom(many),
      fields: (form) => (
        <>
          <TermsFields
            form={form}
            inherited={inherited}
            account={account}
            labels={grouped ? groupWords.ofPartner : undefined}
            ratesOnly
          />
          <ReachField form={form} />
          <CheckboxField {...form.field('notifyPartners', termsWords.tell.all)} />
        </>
      ),
    }
  },
)
