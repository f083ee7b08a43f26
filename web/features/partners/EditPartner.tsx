import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { changePartner, type Partner, PartnerChange } from '#contract/partners.ts'
import { useCall } from '../../calls.ts'
import { CommissionFields, type CommissionValue } from '../../ui/CommissionFields.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { PendingPage } from '../../ui/PendingPage.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { useAccount, useRole } from '../../shell/current.ts'
import { NameFields, PlaceFields } from './PartnerFields.tsx'
import { changed, partner as partnerQuery } from './queries.ts'
import { mayCorrect } from './reduced.ts'

/** Changes a partner: everything for the owner; names and e-mail for who invited him, until he accepts. */
export function EditPartner() {
  const { partnerId = '' } = useParams({ strict: false })
  const owns = useRole()?.type === 'account-owner'
  const answer = useQuery(partnerQuery(partnerId))
  const partner = answer.data
  const toList = <Link to="/partners">{t('pages.partners')}</Link>
  if (!partner) {
    return (
      <PendingPage
        shape="form"
        heading={t('pages.editPartner')}
        parent={toList}
        answer={answer}
        gone={t('partners.detail.gone')}
      />
    )
  }
  return (
    <Page
      heading={t('pages.editPartner')}
      parent={[
        toList,
        <Link key="partner" to="/partners/$partnerId" params={{ partnerId }}>
          {partner.displayName}
        </Link>,
      ]}
    >
      {owns ? (
        <OfOwner partner={partner} />
      ) : mayCorrect(partner) ? (
        <OfInviter partner={partner} />
      ) : (
        <TooLate id={partnerId} />
      )}
    </Page>
  )
}

function useSave({ id }: Partner) {
  const router = useRouter()
  return useCall(changePartner, {
    refresh: changed,
    onSuccess() {
      toast(t('toast.saved', { resource: t('partners.resource') }))
      return router.navigate({ to: '/partners/$partnerId', params: { partnerId: id } })
    },
  })
}

const namesOf = ({ firstName, lastName, email }: Partner) => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  email,
})

function OfOwner({ partner }: { partner: Partner }) {
  const account = useAccount() as Account
  const { id, referralCode, parentPartnerId, commissionSettings } = partner
  const form = useContractForm(PartnerChange, {
    initial: {
      ...namesOf(partner),
      referralCode,
      parentPartnerId,
      commissionSettings: commissionSettings as CommissionValue,
    },
  })
  const save = useSave(partner)
  return (
    <Form
      form={form}
      save={save}
      label={t('pages.editPartner')}
      onSubmit={(_, changes) => save.mutate({ params: { id }, body: changes })}
    >
      <FormPanel>
        <NameFields form={form} />
        <PlaceFields form={form} accountId={account.id} />
      </FormPanel>
      <FormPanel heading={t('commission.heading')}>
        <CommissionFields
          form={form}
          path="commissionSettings"
          inherited={account.defaultCommissionSettings.layerRates}
          currency={account.defaultCurrency}
        />
      </FormPanel>
      <FormActions submit={t('form.saveChanges')} cancel={{ to: '/partners/$partnerId', params: { partnerId: id } }} />
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
      label={t('pages.editPartner')}
      onSubmit={(_, changes) => save.mutate({ params: { id }, body: changes })}
    >
      <FormPanel>
        <NameFields form={form} />
      </FormPanel>
      <FormActions submit={t('form.saveChanges')} cancel={{ to: '/partners/$partnerId', params: { partnerId: id } }} />
    </Form>
  )
}

/** Whoever has accepted keeps his own details. */
function TooLate({ id }: { id: string }) {
  return (
    <>
      <Message kind="info">{t('partners.correct.over')}</Message>
      <div>
        <GoButton go={{ to: '/partners/$partnerId', params: { partnerId: id } }}>{t('partners.correct.back')}</GoButton>
      </div>
    </>
  )
}
