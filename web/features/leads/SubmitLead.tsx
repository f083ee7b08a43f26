import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Lead, type LeadSubmissionResult, SubmittedLead, submitLead } from '#contract/leads.ts'
import { useCall } from '../../calls.ts'
import { formatDateAt } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { FieldPair, TextAreaField, TextField } from '../../ui/fields.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { pageWords } from '../../words/shell.ts'
import styles from './Leads.module.css'
import { formatProtection } from './protection.ts'

/** Registers a partner's lead and shows at once whether it is new. */
export function SubmitLead({ partnerId }: { partnerId: string }) {
  const [verdict, setVerdict] = useState<LeadSubmissionResult | null>(null)
  return (
    <Page heading={pageWords.addLead} parent={<Link to="/leads">{pageWords.leads}</Link>}>
      {verdict ? (
        <Verdict of={verdict} onAnother={() => setVerdict(null)} />
      ) : (
        <Registration partnerId={partnerId} onVerdict={setVerdict} />
      )}
    </Page>
  )
}

const nobody = { firstName: '', lastName: '', email: '', phone: '', company: '', note: '' }

type RegistrationProps = { partnerId: string; onVerdict: (verdict: LeadSubmissionResult) => void }

function Registration({ partnerId, onVerdict }: RegistrationProps) {
  const form = useContractForm(SubmittedLead, { initial: nobody })
  const save = useCall(submitLead, { onSuccess: onVerdict })
  const { field } = form
  return (
    <Form
      form={form}
      save={save}
      label={pageWords.addLead}
      onSubmit={(body) => save.mutate({ params: { id: partnerId }, body })}
    >
      <FormPanel>
        <FieldPair>
          <TextField {...field('firstName', basicWords.fields.firstName)} autoComplete="off" optional />
          <TextField {...field('lastName', basicWords.fields.lastName)} autoComplete="off" optional />
        </FieldPair>
        <FieldPair>
          <TextField
            {...field('email', basicWords.fields.email)}
            type="email"
            autoComplete="off"
            help={leadWords.submit.who}
          />
          <TextField {...field('phone', labelWords.phone)} type="tel" autoComplete="off" />
        </FieldPair>
        <TextField {...field('company', labelWords.company)} autoComplete="off" optional />
        <TextAreaField {...field('note', labelWords.note)} rows={3} optional help={leadWords.submit.noteHelp} />
        <FormActions submit={pageWords.addLead} cancel={{ to: '/leads' }} />
      </FormPanel>
    </Form>
  )
}

const looks = { new: 'success', yours: 'info', 'already-registered': 'warning' } as const

function protectionSentence(lead: Lead, timeZone: string) {
  const protection = formatProtection(lead, timeZone)
  return protection && `${protection}.`
}

function Verdict({ of: answer, onAnother }: { of: LeadSubmissionResult; onAnother: () => void }) {
  const { timeZone } = useAccount()
  const { verdict, lead, registeredAt } = answer
  const date = formatDateAt(registeredAt, timeZone)
  const words = {
    new: [leadWords.submit.new, leadWords.submit.newSince({ date })],
    yours: [leadWords.submit.yours, leadWords.submit.yoursSince({ date })],
    'already-registered': [leadWords.submit.taken, leadWords.submit.takenWhy({ date })],
  } as const
  const [heading, since] = words[verdict]
  return (
    <section aria-label={fieldWords.result} className={`stack ${styles.verdict}`}>
      <Message kind={looks[verdict]} answers={1}>
        <strong>{heading}</strong>
        <p>
          {since} {lead && protectionSentence(lead, timeZone)}
        </p>
      </Message>
      <div className="row">
        {lead && (
          <LinkButton look="primary" to="/leads/$leadId" params={{ leadId: lead.id }}>
            {leadWords.submit.view}
          </LinkButton>
        )}
        <Button look={lead ? 'secondary' : 'primary'} onClick={onAnother}>
          {leadWords.submit.another}
        </Button>
      </div>
    </section>
  )
}
