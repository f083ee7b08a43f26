import { useQuery } from '@tanstack/react-query'
import {
  createIncomingWebhook,
  type IncomingSender,
  incomingTargets,
  NewIncomingWebhook,
} from '#contract/incoming-webhooks.ts'
import { randomKey } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { searchText } from '../../lists/table-state.ts'
import { useAccount } from '../../shell/current.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { FieldPair, SelectField, TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { useAddress } from '../../ui/useAddress.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { type AuthValues, authMistakes, NO_AUTH, toAuth } from './auth.ts'
import { AuthFields, MappingForm } from './late-parts.ts'
import { OneIncomingWebhook, toIncomingWebhooks } from './OneIncomingWebhook.tsx'
import { incomingSendersQuery } from './queries.ts'
import { SecretField } from './SecretField.tsx'

const list = { to: '/integrations/incoming-webhooks' } as const

/** Collects what a URL needs first; once the address names the webhook, shows its rules. */
export function AddIncomingWebhook() {
  const hook = searchText(useAddress().params.hook)
  const heading = pageWords.addIncomingWebhook
  const account = useAccount()
  const senders = useQuery(incomingSendersQuery(account.id))
  if (hook)
    return (
      <OneIncomingWebhook id={hook} shape="form" heading={heading}>
        {(webhook) => (
          <Page heading={heading} parent={toIncomingWebhooks}>
            <MappingForm adding webhook={webhook} heading={heading} submit={heading} cancel={list} />
          </Page>
        )}
      </OneIncomingWebhook>
    )
  return (
    <Page heading={heading} parent={toIncomingWebhooks}>
      {senders.data ? (
        <Begin heading={heading} senders={senders.data.items} />
      ) : (
        <Panel>
          <Pending answer={senders} rows={4} />
        </Panel>
      )}
    </Page>
  )
}

type Values = {
  sender: string | null
  name: string
  target: (typeof incomingTargets)[number]
  auth: AuthValues
}
const FIRST: Values = { sender: null, name: '', target: 'lead', auth: NO_AUTH }

/** The choice of a system that is no known sender. */
const ANOTHER = 'another'

function Begin({ heading, senders }: { heading: string; senders: IncomingSender[] }) {
  const { id } = useAccount()
  const { change } = useAddress()
  const form = useContractForm(NewIncomingWebhook, {
    initial: FIRST,
    omit: ['sender', 'auth'],
    check: ({ sender, auth }) =>
      sender === null
        ? { sender: basicWords.rules.required({ label: incomingWebhookWords.sender }) }
        : sender === ANOTHER
          ? authMistakes(auth)
          : {},
  })
  const { field, values } = form
  const known = senders.find(({ sender }) => sender === values.sender)
  const save = useCall(createIncomingWebhook, { onSuccess: (made) => change({ hook: made.id }) })
  const target = field('target', fieldWords.target)
  const targetField = (
    <SelectField
      {...target}
      onChange={(next) => next && target.onChange(next)}
      choices={incomingTargets.map((value) => ({ value, label: incomingWebhookWords.targets[value] }))}
      help={incomingWebhookWords.targetHelp}
    />
  )
  return (
    <Form
      form={form}
      save={save}
      label={heading}
      onSubmit={({ target = 'lead', ...body }) =>
        save.mutate({
          params: { id },
          body: known
            ? { ...body, ...setUpBy(known, target, values.auth) }
            : { ...body, target, auth: toAuth(values.auth) },
        })
      }
    >
      <FormPanel>
        <FieldPair>
          <SelectField
            {...field('sender', incomingWebhookWords.sender)}
            placeholder={incomingWebhookWords.chooseSender}
            choices={[
              ...senders.map(({ sender, name }) => ({ value: sender, label: name })),
              { value: ANOTHER, label: incomingWebhookWords.anotherSystem },
            ]}
            help={incomingWebhookWords.senderHelp}
          />
          <TextField {...field('name', fieldWords.name)} />
        </FieldPair>
        {known && (
          <>
            {isBlank(known) && targetField}
            <SecretField
              form={form}
              type={known.auth.type}
              optional
              help={incomingWebhookWords.secretOf({ sender: known.name })}
            />
          </>
        )}
        {values.sender === ANOTHER && (
          <>
            {targetField}
            <AuthFields form={form} />
          </>
        )}
      </FormPanel>
      <FormActions submit={heading} cancel={list} />
    </Form>
  )
}

/** Whether it depends on the system behind this sender what it sends. */
const isBlank = ({ open }: IncomingSender) => open.includes('*')

/** Returns the parts of a known sender. Until its secret is entered, a random one refuses all that it sends. */
function setUpBy(known: IncomingSender, target: Values['target'], { secret, password }: AuthValues) {
  const { sender, auth } = known
  return {
    sender,
    ...(isBlank(known) && { rules: [{ name: incomingWebhookWords.targets[target], target }] }),
    ...(auth.type !== 'url-secret' && { auth: { secret: secret || password || randomKey() } }),
  }
}
