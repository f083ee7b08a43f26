import { Link } from '@tanstack/react-router'
import { changePartner, type Partner, PartnerChange } from '#contract/partners.ts'
import { useCall } from '../../calls.ts'
import type { CommissionValue } from '../../shared/CommissionFields.tsx'
import { RatesEffect } from '../../shared/RatesEffect.tsx'
import { ZeroRatesWarning } from '../../shared/SetRates.tsx'
import { useOwnAccount, useRole } from '../../shell/current.ts'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { Page } from '../../ui/Page.tsx'
import { toast } from '../../ui/toasts.ts'
import { labelWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { OnePartner } from './OnePartner.tsx'
import { CommissionPanel, NameFields, NoteField, PlaceFields } from './PartnerFields.tsx'
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
  const owns = useRole()?.type === 'account-owner'
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
  return useCall(changePartner, {
    onSuccess() {
      toast(toastWords.saved({ resource: labelWords.partner }))
      return leave({ to: '/partners/$partnerId', params: { partnerId: id } })
    },
  })
}

const namesOf = ({ firstName, lastName, email }: Partner) => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  email,
})

function OfOwner({ partner }: { partner: Partner }) {
  const account = useOwnAccount()
  const { id, referralCode, note, parentPartnerId, commissionSettings } = partner
  const form = useContractForm(PartnerChange, {
    initial: {
      ...namesOf(partner),
      referralCode,
      note: note ?? '',
      parentPartnerId,
      commissionSettings: commissionSettings as CommissionValue,
    },
  })
  const save = useSave(partner)
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
      <ZeroRatesWarning
        custom={form.values.commissionSettings}
        inherited={account.defaultCommissionSettings.layerRates}
      />
      <MoreOptions form={form}>
        <FormPanel>
          <PlaceFields form={form} accountId={account.id} />
          <NoteField form={form} />
        </FormPanel>
        <CommissionPanel
          form={form}
          account={account}
          effect={
            <RatesEffect
              accountId={account.id}
              of={{ partnerId: id }}
              saved={commissionSettings}
              typed={form.values.commissionSettings}
            />
          }
        />
      </MoreOptions>
      <FormActions submit={formWords.saveChanges} cancel={{ to: '/partners/$partnerId', params: { partnerId: id } }} />
    </Form>
  )
}

function OfInviter({ partner }: { partner: Partner }) {
  const { id } = partner
  const form = useContractForm(PartnerChange, { initial: namesOf(partner) })
  const save = useSave(partner)
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
