import { Link, Navigate } from '@tanstack/react-router'
import { createImport } from '#contract/imports.ts'
import {
  codeFromName,
  createPartner,
  createSubPartner,
  NewPartner as NewPartnerBody,
  type Partner,
} from '#contract/partners.ts'
import { Terms } from '#contract/terms.ts'
import { useCall } from '../../calls.ts'
import { useGroupChoices, useGroupReward } from '../../shared/groups.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { ZeroRatesWarning } from '../../shared/SetRates.tsx'
import { type TermsValue, toRates } from '../../shared/terms.ts'
import { useAccount, useAccountRole, useOwnAccount } from '../../shell/current.ts'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { CheckboxField } from '../../ui/fields.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { Page } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { CommissionPanel, GroupField, NameFields, NoteField, PlaceFields, useInherited } from './PartnerFields.tsx'

export function NewPartner() {
  const role = useAccountRole()
  const { invitationsFromPartners } = useAccount()
  const owns = isTeam(role)
  if (!owns && !invitationsFromPartners) return <Navigate to="/" replace />
  return (
    <Page
      heading={pageWords.addPartner}
      parent={<Link to="/partners">{pageWords.partners}</Link>}
      actions={
        owns && (
          <LinkButton needs={createImport} to="/account/import" search={{ kind: 'partners' }}>
            {partnerWords.import}
          </LinkButton>
        )
      }
    >
      {isAtPartner(role) ? <OfPartner partnerId={role.partnerId} /> : <OfOwner />}
    </Page>
  )
}

/** Returns what both forms do after adding a partner: show a toast and open the partner's page with the next steps. */
function useAdded() {
  const leave = useLeaveForm()
  return (added: Partner) => {
    showToast(partnerWords.addedWho({ name: added.displayName }))
    return leave({
      to: '/partners/$partnerId',
      params: { partnerId: added.id },
      state: (before) => ({ ...before, added: true }),
    })
  }
}

const WithTerms = NewPartnerBody.omit({ commissionSettings: true }).extend({ terms: Terms.nullable() })

function OfOwner() {
  const account = useOwnAccount()
  const groups = useGroupChoices(account.id)
  const { params } = useAddress()
  const onSuccess = useAdded()
  const parent = typeof params.parent === 'string' ? params.parent : null
  const form = useContractForm(WithTerms, {
    initial: {
      firstName: '',
      lastName: '',
      email: '',
      referralCode: '',
      note: '',
      parentPartnerId: parent,
      groupId: account.id,
      terms: null as TermsValue | null,
      sendInvitation: true,
    },
  })
  const inherited = useInherited(account, form.values.groupId)
  const reward = useGroupReward(account.id, form.values.groupId)
  const save = useCall(createPartner, { onSuccess })
  const saveUnder = useCall(createSubPartner, { onSuccess })
  return (
    <Form
      form={form}
      save={form.values.parentPartnerId ? saveUnder : save}
      label={pageWords.addPartner}
      onSubmit={({ parentPartnerId, terms, ...rest }) => {
        const body = { ...rest, commissionSettings: toRates(terms) }
        if (parentPartnerId) saveUnder.mutate({ params: { id: parentPartnerId }, body })
        else save.mutate({ params: { id: account.id }, body })
      }}
    >
      <FormPanel>
        <NameFields form={form} />
      </FormPanel>
      <ZeroRatesWarning custom={form.values.terms} inherited={inherited} />
      <MoreOptions form={form} open={parent !== null}>
        <FormPanel>
          <PlaceFields
            form={form}
            accountId={account.id}
            suggestedCode={codeFromName(`${form.values.firstName} ${form.values.lastName}`)}
          />
          <GroupField form={form} groups={groups} />
          <NoteField form={form} />
          <CheckboxField {...form.field('sendInvitation', partnerWords.sendInvitation)} />
        </FormPanel>
        <CommissionPanel
          form={form}
          inherited={inherited}
          account={{ ...account, reward }}
          grouped={groups.length > 0}
          ratesOnly
        />
      </MoreOptions>
      <FormActions submit={pageWords.addPartner} cancel={{ to: '/partners' }} />
    </Form>
  )
}

/** The form for a partner who invites sub-partners: names and email only. */
function OfPartner({ partnerId }: { partnerId: string }) {
  const onSuccess = useAdded()
  const form = useContractForm(NewPartnerBody, { initial: { firstName: '', lastName: '', email: '' } })
  const save = useCall(createSubPartner, { onSuccess })
  return (
    <Form
      form={form}
      save={save}
      label={pageWords.addPartner}
      onSubmit={({ firstName, lastName, email }) =>
        save.mutate({ params: { id: partnerId }, body: { firstName, lastName, email } })
      }
    >
      <FormPanel>
        <NameFields form={form} />
      </FormPanel>
      <FormActions submit={pageWords.addPartner} cancel={{ to: '/partners' }} />
    </Form>
  )
}
