import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { CommissionFields, type CommissionValue } from '../../shared/CommissionFields.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { FormPanel, type FormWith } from '../../ui/contract-form.tsx'
import { FieldPair, TextAreaField, TextField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'

export function NameFields({ form }: { form: FormWith<{ firstName: string; lastName: string; email: string }> }) {
  const { field } = form
  return (
    <>
      <TextField {...field('email', t('fields.email'))} type="email" autoComplete="off" />
      <FieldPair>
        <TextField {...field('firstName', t('fields.firstName'))} autoComplete="off" optional />
        <TextField {...field('lastName', t('fields.lastName'))} autoComplete="off" optional />
      </FieldPair>
    </>
  )
}

type PlaceProps = {
  form: FormWith<{ referralCode: string; parentPartnerId: string | null }>
  accountId: string
  /** The code generated if none is entered; without a suggestion the field is required. */
  suggestedCode?: string
}

/** A note only the owner can read. */
export const NoteField = ({ form }: { form: FormWith<{ note: string }> }) => (
  <TextAreaField {...form.field('note', t('fields.note'))} help={t('partners.noteHelp')} optional />
)

/** The code in a partner's links, and their parent partner. */
export function PlaceFields({ accountId, suggestedCode, form }: PlaceProps) {
  const { field } = form
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
  /** Shown below the rates: what they would have paid. */
  effect?: ReactNode
}

/** The partner's own rates, or the account's. */
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
