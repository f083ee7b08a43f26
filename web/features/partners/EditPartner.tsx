import { Link } from '@tanstack/react-router'
import { changePartner, type Partner, PartnerChange } from '#contract/partners.ts'
import { type Reach, Terms } from '#contract/terms.ts'
import { useCall } from '../../calls.ts'
import { useGroupChoices, useGroupReward } from '../../shared/groups.ts'
import { LanguageField } from '../../shared/LanguageFields.tsx'
import { RatesEffect } from '../../shared/RatesEffect.tsx'
import { ReachField } from '../../shared/ReachField.tsx'
import { isTeam } from '../../shared/roles.ts'
import { useSaveTerms } from '../../shared/SaveTerms.tsx'
import { ZeroRatesWarning } from '../../shared/SetRates.tsx'
import { SavedVersion } from '../../shared/TermsHistory.tsx'
import { type TermsSubject, type TermsValue, useTerms } from '../../shared/terms.ts'
import { useOwnAccount, useRole } from '../../shell/current.ts'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { Page } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { accountLanguageWords } from '../../words/account-languages.ts'
import { labelWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { OnePartner } from './OnePartner.tsx'
import {
  CommissionPanel,
  EarlierCodesField,
  ExternalIdField,
  GroupField,
  KeepInGroupField,
  NameFields,
  NoteField,
  PlaceFields,
  useInherited,
} from './PartnerFields.tsx'
import { mayCorrect } from './reduced.ts'

/**
 * Edits a partner: all fields for the owner; name and email for the inviting partner until the invitation is accepted.
 */
export const EditPartner = ({ partnerId }: { partnerId: string }) => (
  <OnePartner id={partnerId} shape="form" heading={pageWords.editPartner}>
    {(partner) => <Edit partner={partner} />}
  </OnePartner>
)

function Edit({ partner }: { partner: Partner }) {
  const owns = isTeam(useRole())
  return (
    <Page
      heading={pageWords.editPartner}
      parent={[
        <Link key="list" to="/partners">
          {pageWords.partners}
        </Link>,
        <Link key="partner" to="/partners/$partnerId" params={{ partnerId: partner.id }}>
          {partner.displayName}
        </Link>,
      ]}
    >
      {owns ? (
        <OfOwner partner={partner} />
      ) : mayCorrect(partner) ? (
        <OfInviter partner={partner} />
      ) : (
        <TooLate id={partner.id} />
      )}
    </Page>
  )
}

function useSave({ id }: Partner) {
  const leave = useLeaveForm()
  function onSuccess() {
    showToast(toastWords.saved({ resource: labelWords.partner }))
    return leave({ to: '/partners/$partnerId', params: { partnerId: id } })
  }
  return { onSuccess, save: useCall(changePartner, { onSuccess }) }
}

const namesOf = ({ firstName, lastName, email }: Partner) => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  email: email ?? '',
})

const WithTerms = PartnerChange.omit({ commissionSettings: true }).extend({ terms: Terms.nullable() })

function OfOwner({ partner }: { partner: Partner }) {
  const account = useOwnAccount()
  const { id, referralCode, note, externalId, language, parentPartnerId, keepInGroup, commissionSettings, stats } =
    partner
  const earlierCodes = partner.earlierCodes ?? []
  const groupId = partner.groupId ?? account.id
  const groups = useGroupChoices(account.id)
  const subject: TermsSubject = { of: 'partner', id }
  const { answer, own } = useTerms(subject, commissionSettings)
  const hasCustomers = stats.numberOfLeads > 0
  const reachOf = () => (hasCustomers ? form.values.appliesTo : 'all-sales')
  const form = useContractForm(WithTerms, {
    initial: {
      ...namesOf(partner),
      referralCode,
      earlierCodes,
      note: note ?? '',
      externalId: externalId ?? '',
      language,
      parentPartnerId,
      groupId,
      keepInGroup: keepInGroup ?? false,
      appliesTo: 'new-customers' as Reach,
      terms: own as TermsValue | null,
    },
  })
  const { save, onSuccess } = useSave(partner)
  const moves = form.values.groupId !== groupId
  const inherited = useInherited(account, form.values.groupId)
  const reward = useGroupReward(account.id, form.values.groupId)
  const terms = useSaveTerms({
    accountId: account.id,
    subject,
    state: answer.data,
    hasCustomers,
    rest: save,
  })
  return (
    <>
      <Form
        form={form}
        save={terms.save}
        label={pageWords.editPartner}
        onSubmit={(_, { appliesTo: __, ...changes }) =>
          terms.submit(
            changes,
            (body) => save.mutate({ params: { id }, body: { ...body, ...(moves && { appliesTo: reachOf() }) } }),
            onSuccess,
          )
        }
      >
        <FormPanel>
          <NameFields form={form} />
        </FormPanel>
        <ZeroRatesWarning custom={form.values.terms} inherited={inherited} />
        <MoreOptions form={form}>
          <FormPanel>
            <PlaceFields form={form} accountId={account.id} />
            <GroupField form={form} groups={groups} />
            {moves && hasCustomers && <ReachField form={form} />}
            {groups.length > 0 && <KeepInGroupField form={form} />}
            <EarlierCodesField form={form} />
            <ExternalIdField form={form} />
            <LanguageField
              {...form.field('language', accountLanguageWords.language)}
              placeholder={accountLanguageWords.asAccount}
              help={accountLanguageWords.partnerHelp}
              optional
            />
            <NoteField form={form} />
          </FormPanel>
          <CommissionPanel
            form={form}
            saved={answer}
            inherited={inherited}
            account={{ ...account, reward }}
            grouped={groups.length > 0}
            partnerId={id}
            effect={
              <>
                <RatesEffect accountId={account.id} subject={subject} saved={own} typed={form.values.terms} />
                <SavedVersion subject={subject} account={account} onUse={(used) => form.set({ terms: used })} />
              </>
            }
          />
        </MoreOptions>
        <FormActions
          submit={formWords.saveChanges}
          cancel={{ to: '/partners/$partnerId', params: { partnerId: id } }}
        />
      </Form>
      {terms.dialog}
    </>
  )
}

function OfInviter({ partner }: { partner: Partner }) {
  const { id } = partner
  const form = useContractForm(PartnerChange, { initial: namesOf(partner) })
  const { save } = useSave(partner)
  return (
    <Form
      form={form}
      save={save}
      label={pageWords.editPartner}
      onSubmit={(_, changes) => save.mutate({ params: { id }, body: changes })}
    >
      <FormPanel>
        <NameFields form={form} />
      </FormPanel>
      <FormActions submit={formWords.saveChanges} cancel={{ to: '/partners/$partnerId', params: { partnerId: id } }} />
    </Form>
  )
}

/** Shown once the partner has accepted: they edit their own details from then on. */
function TooLate({ id }: { id: string }) {
  return (
    <>
      <Message kind="info">{partnerWords.correct.over}</Message>
      <div>
        <GoButton go={{ to: '/partners/$partnerId', params: { partnerId: id } }}>{partnerWords.correct.back}</GoButton>
      </div>
    </>
  )
}
