import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changeLead, createLead, type Lead, LeadChange, NewLead as NewLeadBody } from '#contract/leads.ts'
import type { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { ToLead } from '../../shared/links.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { leadQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import {
  type FieldProps,
  Form,
  FormActions,
  FormPanel,
  useContractForm,
  useLeaveForm,
} from '../../ui/contract-form.tsx'
import { FieldPair, TextField } from '../../ui/fields.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { fieldHelpWords, formWords } from '../../words/forms.ts'
import { leadWords } from '../../words/leads.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { SimilarLeads } from './SimilarLeads.tsx'

const toLeads = <Link to="/leads">{pageWords.leads}</Link>

/** The form for a lead entered by hand. */
export function NewLeadForm() {
  const { id: accountId } = useAccount()
  const leave = useLeaveForm()
  const form = useContractForm(NewLeadBody, { initial: { ...nobody, partnerId: null as string | null } })
  const save = useCall(createLead, {
    onSuccess: ({ id }) => {
      showToast(toastWords.added({ resource: labelWords.lead }))
      return leave({ to: '/leads/$leadId', params: { leadId: id } })
    },
  })
  return (
    <Page heading={pageWords.addLead} parent={toLeads}>
      <Form
        form={form}
        save={save}
        label={pageWords.addLead}
        onSubmit={(body) => save.mutate({ params: { id: accountId }, body })}
      >
        <FormPanel>
          <Fields
            field={form.field}
            warning={<SimilarLeads accountId={accountId} email={form.values.email} company={form.values.company} />}
          >
            <PartnerField
              {...form.field('partnerId', labelWords.partner)}
              accountId={accountId}
              help={leadWords.form.partnerHelp}
              optional
            />
          </Fields>
          <Known error={save.error} />
          <FormActions submit={pageWords.addLead} cancel={{ to: '/leads' }} />
        </FormPanel>
      </Form>
    </Page>
  )
}

/** The form for a lead's details. */
export const EditLead = ({ leadId }: { leadId: string }) => (
  <ThingPage query={leadQuery(leadId)} shape="form" heading={pageWords.editLead} parent={toLeads} gone={leadWords.gone}>
    {(lead) => <Editor lead={lead} />}
  </ThingPage>
)

function Editor({ lead }: { lead: Lead }) {
  const leave = useLeaveForm()
  const toLead = { to: '/leads/$leadId', params: { leadId: lead.id } } as const
  const form = useContractForm(LeadChange, { initial: identityOf(lead) })
  const save = useCall(changeLead, {
    onSuccess: () => {
      showToast(toastWords.saved({ resource: labelWords.lead }))
      return leave(toLead)
    },
  })
  const parent = [
    toLeads,
    <Link key="lead" {...toLead}>
      {lead.displayName}
    </Link>,
  ]
  return (
    <Page heading={pageWords.editLead} parent={parent}>
      <Form
        form={form}
        save={save}
        label={pageWords.editLead}
        onSubmit={(_, changes) => save.mutate({ params: { id: lead.id }, body: changes })}
      >
        <FormPanel>
          <Fields field={form.field}>
            <PartnerField
              id="partner"
              name="partnerId"
              label={labelWords.partner}
              value={lead.partnerId}
              accountId={lead.accountId}
              help={leadWords.form.partnerElsewhere}
              disabled
              onChange={() => undefined}
              onBlur={() => undefined}
            />
          </Fields>
          <Known error={save.error} />
          <FormActions submit={formWords.saveChanges} cancel={toLead} />
        </FormPanel>
      </Form>
    </Page>
  )
}

const nobody = { firstName: '', lastName: '', email: '', phone: '', company: '', externalId: '' }
type Identity = typeof nobody

const identityOf = (lead: Lead): Identity => ({
  firstName: lead.firstName ?? '',
  lastName: lead.lastName ?? '',
  email: lead.email ?? '',
  phone: lead.phone ?? '',
  company: lead.company ?? '',
  externalId: lead.externalId ?? '',
})

type FieldsProps = {
  field: (path: keyof Identity, label: string) => FieldProps<string>
  /** A warning next to the fields it is about. */
  warning?: ReactNode
  children: ReactNode
}

function Fields({ field, warning, children }: FieldsProps) {
  return (
    <>
      <FieldPair>
        <TextField {...field('firstName', basicWords.fields.firstName)} autoComplete="off" optional />
        <TextField {...field('lastName', basicWords.fields.lastName)} autoComplete="off" optional />
      </FieldPair>
      <TextField
        {...field('email', basicWords.fields.email)}
        type="email"
        autoComplete="off"
        help={leadWords.form.who}
      />
      {warning}
      <FieldPair>
        <TextField {...field('phone', labelWords.phone)} type="tel" autoComplete="off" />
        <TextField
          {...field('externalId', labelWords.externalId)}
          autoComplete="off"
          help={fieldHelpWords.externalId}
        />
      </FieldPair>
      <TextField {...field('company', labelWords.company)} autoComplete="off" optional />
      {children}
    </>
  )
}

/** A link to the lead that already exists. */
function Known({ error }: { error: CallError | null }) {
  const leadId = error?.code === 'duplicate' ? String(error.details.leadId ?? '') : ''
  if (!leadId) return null
  return (
    <Message kind="warning">
      {leadWords.form.known} <ToLead id={leadId}>{leadWords.form.viewKnown}</ToLead>
    </Message>
  )
}
