import type { ReactNode } from 'react'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { Terms } from '#contract/terms.ts'
import type { FormWith } from '../ui/contract-form.tsx'
import { RadioField } from '../ui/fields.tsx'
import { Pending } from '../ui/Pending.tsx'
import { commissionWords } from '../words/commissions.ts'
import { labelWords } from '../words/fields.ts'
import { InheritedRates } from './PayFields.tsx'
import { TermsEditor } from './TermsEditor.tsx'
import { TermsSentences } from './TermsSentences.tsx'
import type { TermsAccount, TermsValue, useTerms } from './terms.ts'

type Props = {
  /** Null terms mean the account's. */
  form: FormWith<{ terms: TermsValue | null }>
  /** The query of the saved terms, if there are any: until they are loaded, edits would remove their rules. */
  saved?: ReturnType<typeof useTerms>['answer'] | undefined
  /** The account's own terms, or the group's. */
  inherited: Terms
  account: TermsAccount
  /** The partner whose terms these are. */
  partnerId?: string
  /** Only rates can be saved, as for what is being created. */
  ratesOnly?: boolean
  /** Labels of the two choices, and the source of the inherited terms. */
  labels?: { inherited: string; custom: string; from: string }
  /** Below the terms: their effect on past sales. */
  effect?: ReactNode
}

const ofAccount = {
  inherited: commissionWords.accountDefault,
  custom: commissionWords.custom,
  from: commissionWords.fromAccount,
}

/** 'Use account default' with the account's terms, or 'Custom rates'. */
export function TermsFields({
  form,
  saved,
  inherited,
  account,
  partnerId,
  ratesOnly = false,
  labels = ofAccount,
  effect,
}: Props) {
  if (saved && !saved.data) return <Pending answer={saved} rows={6} />
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
          { value: 'default', label: labels.inherited },
          { value: 'custom', label: labels.custom },
        ]}
        onChange={(choice) => field.onChange(choice === 'custom' ? first : null)}
      />
      {custom ? (
        <TermsEditor form={form} account={account} partnerId={partnerId} ratesOnly={ratesOnly} />
      ) : rules.length === 0 && otherwise.layerRates ? (
        <InheritedRates id={`${field.id}-inherited`} rates={otherwise.layerRates} currency={currency} />
      ) : (
        <TermsSentences terms={inherited} currency={currency} note={labels.from} />
      )}
      {effect}
    </>
  )
}
