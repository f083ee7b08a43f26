import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { EarlierCode } from '#contract/partners.ts'
import type { Terms } from '#contract/terms.ts'
import { plainCode } from '#contract/values.ts'
import type { GroupChoices } from '../../shared/groups.ts'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { TermsFields } from '../../shared/TermsFields.tsx'
import { type TermsAccount, type TermsValue, termsStateQuery, useAccountTerms } from '../../shared/terms.ts'
import { FormPanel, type FormWith } from '../../ui/contract-form.tsx'
import { CheckboxField, FieldPair, SelectField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { fieldHelpWords } from '../../words/forms.ts'
import { goalWords } from '../../words/goals.ts'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'

export function NameFields({ form }: { form: FormWith<{ firstName: string; lastName: string; email: string }> }) {
  const { field } = form
  return (
    <>
      <TextField {...field('email', basicWords.fields.email)} type="email" autoComplete="off" />
      <FieldPair>
        <TextField {...field('firstName', basicWords.fields.firstName)} autoComplete="off" optional />
        <TextField {...field('lastName', basicWords.fields.lastName)} autoComplete="off" optional />
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

/** The partner's id in the owner's own system. */
export const ExternalIdField = ({ form }: { form: FormWith<{ externalId: string }> }) => (
  <TextField
    {...form.field('externalId', labelWords.externalId)}
    autoComplete="off"
    help={fieldHelpWords.externalId}
    optional
  />
)

/** Codes from before, such as those of another program. */
export const EarlierCodesField = ({ form }: { form: FormWith<{ earlierCodes: string[] }> }) => (
  <TagsField
    {...form.field('earlierCodes', labelWords.earlierCodes)}
    optional
    spaced
    placeholder={partnerWords.addCode}
    tidy={plainCode}
    isWrong={(code) => !EarlierCode.safeParse(code).success}
    help={fieldHelpWords.earlierCodes}
  />
)

/** A note only the owner can read. */
export const NoteField = ({ form }: { form: FormWith<{ note: string }> }) => (
  <TextAreaField {...form.field('note')} help={partnerWords.noteHelp} optional />
)

/** The code in a partner's links, and their parent partner. */
export function PlaceFields({ accountId, suggestedCode, form }: PlaceProps) {
  const { field } = form
  return (
    <FieldPair>
      <TextField
        {...field('referralCode', labelWords.referralCode)}
        placeholder={suggestedCode}
        autoComplete="off"
        help={fieldHelpWords.referralCode}
        optional={suggestedCode !== undefined}
      />
      <PartnerField {...field('parentPartnerId', labelWords.parentPartnerId)} accountId={accountId} optional />
    </FieldPair>
  )
}

type GroupProps = { form: FormWith<{ groupId: string | null }>; groups: GroupChoices }

/** The partner's group; nothing while there is only the default one. */
export const GroupField = ({ form, groups }: GroupProps) =>
  groups.length > 0 && <SelectField {...form.field('groupId', groupWords.label)} choices={groups} />

/** Exempts the partner from goals that move partners. */
export const KeepInGroupField = ({ form }: { form: FormWith<{ keepInGroup: boolean }> }) => (
  <CheckboxField {...form.field('keepInGroup', fieldWords.keepInGroup)} help={goalWords.keepInGroupHelp} />
)

/** Returns the terms of a partner without their own: the group's, else the account's. */
export function useInherited(account: Account, groupId: string | null): Terms {
  // the default group has the account's terms
  const id = groupId ?? account.id
  const { data } = useQuery({ ...termsStateQuery({ of: 'group', id }), enabled: id !== account.id })
  const ofAccount = useAccountTerms(account)
  return data?.inForce.terms ?? ofAccount
}

type CommissionProps = {
  form: FormWith<{ terms: TermsValue | null }>
  saved?: ComponentProps<typeof TermsFields>['saved']
  /** The group's or the account's terms. */
  inherited: Terms
  account: TermsAccount
  /** There are groups besides the default one. */
  grouped: boolean
  partnerId?: string
  ratesOnly?: boolean
  /** Shown below the terms: what they would have paid. */
  effect?: ReactNode
}

/** The partner's own terms, or the group's or account's. */
export const CommissionPanel = ({ grouped, ...props }: CommissionProps) => (
  <FormPanel heading={labelWords.commission}>
    <TermsFields {...props} labels={grouped ? groupWords.ofPartner : undefined} />
  </FormPanel>
)
