import { changeTaxYear, TaxYearChange, type TaxYearTerms } from '#features/tax-years/contract.ts'
import { formatMoney } from '../../format.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { MoneyField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { formWords } from '../../words/forms.ts'
import { yearReportWords } from '../../words/year-report.ts'

type Props = { accountId: string; terms: TaxYearTerms }

/** The amount from which a partner is marked, its origin, and a button to set an own one. */
export function Threshold({ accountId, terms }: Props) {
  const { year, currency, threshold, legalThreshold } = terms
  const own = threshold !== legalThreshold
  return (
    <div className="row gap-3">
      <p>
        <span className="muted">{yearReportWords.threshold({ year })}</span>{' '}
        <strong>{threshold === null ? yearReportWords.noThreshold : formatMoney(threshold, currency)}</strong>{' '}
        {threshold !== null && (
          <span className="muted">{own ? yearReportWords.ownThreshold : yearReportWords.byLaw}</span>
        )}
      </p>
      <ActButton small act={Change} of={{ accountId, terms }} />
    </div>
  )
}

const Change = exposeAction(
  defineFormAction(changeTaxYear, TaxYearChange, ({ accountId, terms }: Props) => {
    const { year, currency, threshold, legalThreshold } = terms
    return {
      heading: yearReportWords.changeThreshold,
      why: yearReportWords.thresholdWhy({ year }),
      submit: formWords.saveChanges,
      done: yearReportWords.thresholdSaved,
      initial: { threshold: (threshold ?? '') as number | string },
      send: ({ threshold }) => ({
        params: { id: accountId, year: String(year) },
        // null follows the legal threshold, even if the law changes it
        body: { threshold: threshold === legalThreshold ? null : threshold },
      }),
      fields: ({ field }) => (
        <MoneyField
          {...field('threshold', yearReportWords.thresholdField)}
          optional
          currency={currency}
          help={
            legalThreshold === null
              ? yearReportWords.thresholdHelpNone
              : yearReportWords.thresholdHelp({ amount: formatMoney(legalThreshold, currency) })
          }
        />
      ),
    }
  }),
  { label: yearReportWords.changeThreshold },
)
