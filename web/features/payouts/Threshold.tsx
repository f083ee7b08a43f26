import { useState } from 'react'
import { changeTaxYear, TaxYearChange, type TaxYearTerms } from '#contract/tax-years.ts'
import { formatMoney } from '../../format.ts'
import { Button } from '../../ui/Button.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { MoneyField } from '../../ui/fields.tsx'
import { formWords } from '../../words/forms.ts'
import { yearReportWords } from '../../words/year-report.ts'

type Props = { accountId: string; terms: TaxYearTerms }

/** The amount from which a partner is marked, its origin, and a button to set an own one. */
export function Threshold({ accountId, terms }: Props) {
  const { year, currency, threshold, legalThreshold } = terms
  const [changing, setChanging] = useState(false)
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
      <Button small onClick={() => setChanging(true)}>
        {yearReportWords.changeThreshold}
      </Button>
      {changing && <ThresholdDialog {...{ accountId, terms, onClose: () => setChanging(false) }} />}
    </div>
  )
}

function ThresholdDialog({ accountId, terms, onClose }: Props & { onClose: () => void }) {
  const { year, currency, threshold, legalThreshold } = terms
  const form = useContractForm(TaxYearChange, { initial: { threshold: (threshold ?? '') as number | string } })
  const save = useDialogCall(changeTaxYear, { done: yearReportWords.thresholdSaved, onClose })
  return (
    <FormDialog
      heading={yearReportWords.changeThreshold}
      why={yearReportWords.thresholdWhy({ year })}
      submit={formWords.saveChanges}
      form={form}
      save={save}
      onSubmit={({ threshold }) =>
        save.mutate({
          params: { id: accountId, year: String(year) },
          // null follows the legal threshold, even if the law changes it
          body: { threshold: threshold === legalThreshold ? null : threshold },
        })
      }
      onClose={onClose}
    >
      <MoneyField
        {...form.field('threshold', yearReportWords.thresholdField)}
        optional
        currency={currency}
        help={
          legalThreshold === null
            ? yearReportWords.thresholdHelpNone
            : yearReportWords.thresholdHelp({ amount: formatMoney(legalThreshold, currency) })
        }
      />
    </FormDialog>
  )
}
