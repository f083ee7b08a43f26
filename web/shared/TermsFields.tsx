import type { ReactNode } from 'react'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { Terms } from '#contract/terms.ts'
import type { FormWith } from '../ui/contract-form.tsx'
import { RadioField } from '../ui/fields.tsx'
import { commissionWords } from '../words/commissions.ts'
import { labelWords } from '../words/fields.ts'
import { InheritedRates } from './PayFields.tsx'
import { TermsEditor } from './TermsEditor.tsx'
import { TermsSentences } from './TermsSentences.tsx'
import type { TermsAccount, TermsValue } from './terms.ts'

type Props = {
  /** Null terms mean the account's. */
  form: FormWith<{ terms: TermsValue | null }>
  /** The account's own terms. */
  inherited: Terms
  account: TermsAccount
  /** Only rates can be saved, as for what is being created. */
  ratesOnly?: boolean
  /** Below the terms: their effect on past sales. */
  effect?: ReactNode
}

/** 'Use account default' with the account's terms, or 'Custom rates'. */
export function TermsFields({ form, inherited, account, ratesOnly = false, effect }: Props) {
  const field = form.field('terms', labelWords.commission)
  const custom = field.value !== null
  const { rules, otherwise } = inherited
  const { defaultCurrency: currency } = account
  const first = ratesOnly ? simpleTerms({ layerRates: otherwise.layerRates ?? [0] }) : inherited
  return (
    <>
      <RadioField
        {...field}
        error={custom ? undefined : field.error}
        legendHidden
        value={custom ? 'custom' : 'default'}
        choices={[
          { value: 'default', label: commissionWords.accountDefault },
          { value: 'custom', label: commissionWords.custom },
        ]}
        onChange={(choice) => field.onChange(choice === 'custom' ? first : null)}
      />
      {custom ? (
        <TermsEditor form={form} account={account} ratesOnly={ratesOnly} />
      ) : rules.length === 0 && otherwise.layerRates ? (
        <InheritedRates id={`${field.id}-inherited`} rates={otherwise.layerRates} currency={currency} />
      ) : (
        <TermsSentences terms={inherited} currency={currency} note={commissionWords.fromAccount} />
      )}
      {effect}
    </>
  )
}
