import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { CommissionFields, type CommissionValue } from '../../ui/CommissionFields.tsx'
import { FormPanel, type FormWith, fieldsOf } from '../../ui/contract-form.tsx'
import { FieldPair, TextAreaField, TextField } from '../../ui/fields.tsx'
import { PartnerField } from '../../ui/PartnerPicker.tsx'
import { t } from '../../words.ts'

/** First name, last name and e-mail of a partner. */
export function NameFields({ form }: { form: FormWith<{ firstName: string; lastName: string; email: string }> }) {
  const field = fieldsOf(form)
  return (
    <>
      <FieldPair>
        <TextField {...field('firstName', t('fields.firstName'))} autoComplete="off" optional />
        <TextField {...field('lastName', t('fields.lastName'))} autoComplete="off" optional />
      </FieldPair>
      <TextField {...field('email', t('fields.email'))} type="email" autoComplete="off" />
    </>
  )
}

type PlaceProps = {
  form: FormWith<{ referralCode: string; parentPartnerId: string | null }>
  accountId: string
  /** The code that is made where none is typed; without it one has to be. */
  suggestedCode?: string
}

/** What the owner alone reads. */
export const NoteField = ({ form }: { form: FormWith<{ note: string }> }) => (
  <TextAreaField {...fieldsOf(form)('note', t('fields.note'))} help={t('partners.noteHelp')} optional />
)

/** The code in a partner's links, and who stands above him. */
export function PlaceFields({ accountId, suggestedCode, form }: PlaceProps) {
  const field = fieldsOf(form)
  return (
    <FieldPair>
      <TextField
        {...field('referralCode', t('fields.referralCode'))}
        placeholder={suggestedCode}
        autoComplete="off"
        help={t('fields.referralCodeHelp')}
        optional={suggestedCode !== undefined}
      />
      <PartnerField {...field('parentPartnerId', t('fields.parentPartner'))} accountId={accountId} optional />
    </FieldPair>
  )
}

type CommissionProps = {
  form: FormWith<{ commissionSettings: CommissionValue }>
  account: Pick<Account, 'defaultCommissionSettings' | 'defaultCurrency'>
  /** Below the rates: what they would have paid. */
  effect?: ReactNode
}

/** Own rates, or the account's. */
export const CommissionPanel = ({ form, account, effect }: CommissionProps) => (
  <FormPanel heading={t('commission.heading')}>
    <CommissionFields
      form={form}
      inherited={account.defaultCommissionSettings.layerRates}
      currency={account.defaultCurrency}
      effect={effect}
    />
  </FormPanel>
)
