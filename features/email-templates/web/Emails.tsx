import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { useCall } from '#web/calls.ts'
import { OnlyRead } from '#web/shared/OnlyRead.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '#web/ui/contract-form.tsx'
import { FieldPair, TextField } from '#web/ui/fields.tsx'
import { Message } from '#web/ui/Message.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { Pending } from '#web/ui/Pending.tsx'
import { PendingPanel } from '#web/ui/PendingPanel.tsx'
import { PlainTable } from '#web/ui/PlainTable.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { showToast } from '#web/ui/toasts.ts'
import { useAddress } from '#web/ui/useAddress.ts'
import { formWords } from '#web/words/forms.ts'
import { toastWords } from '#web/words/shell.ts'
import {
  changeEmailSender,
  type EmailSender,
  EmailSenderChange,
  type EmailTemplate,
  listEmailTemplates,
} from '../contract.ts'
import { emailWords as words } from '../text.ts'
import { EmailEditor } from './EmailEditor.tsx'
import { senderQuery, templatesQuery } from './queries.ts'

/** The emails to partners; the one that the address names is open. */
export function Emails({ account }: { account: Account }) {
  const { params } = useAddress()
  const may = usePermission()(listEmailTemplates)
  if (!may) return <OnlyRead needs={listEmailTemplates} />
  if (typeof params.email === 'string') return <OneEmail key={params.email} account={account} kind={params.email} />
  return (
    <>
      <Sender account={account} />
      <EmailList accountId={account.id} />
    </>
  )
}

function OneEmail({ account, kind }: { account: Account; kind: string }) {
  const answer = useQuery(templatesQuery(account.id))
  const template = answer.data?.items.find((one) => one.kind === kind)
  return (
    <>
      <Link to="." search={({ email: _, ...before }: Record<string, unknown>) => before}>
        {words.all}
      </Link>
      {template ? (
        <EmailEditor account={account} template={template} />
      ) : answer.data ? (
        <Message kind="info">{words.unknown}</Message>
      ) : (
        <Panel>
          <Pending answer={answer} rows={8} />
        </Panel>
      )}
    </>
  )
}

function EmailList({ accountId }: { accountId: string }) {
  const answer = useQuery(templatesQuery(accountId))
  return (
    <PendingPanel heading={words.list} answer={answer} rows={20}>
      {({ items }) => (
        <PlainTable
          label={words.list}
          rows={items}
          keyOf={({ kind }) => kind}
          columns={[
            { head: words.email, cell: titleCell },
            { head: words.sent, wideOnly: true, cell: ({ description }) => description },
            { head: words.status, cell: statusCell },
          ]}
        />
      )}
    </PendingPanel>
  )
}

const titleCell = ({ kind, title }: EmailTemplate) => (
  <Link to="." search={(before: object) => ({ ...before, email: kind })}>
    {title}
  </Link>
)

const statusCell = ({ customized }: EmailTemplate) =>
  customized ? <Badge tone="done">{words.customized}</Badge> : <span className="muted">{words.usual}</span>

function Sender({ account }: { account: Account }) {
  const answer = useQuery(senderQuery(account.id))
  if (answer.data) return <SenderForm account={account} saved={answer.data} />
  return (
    <PendingPanel heading={words.sender} answer={answer} rows={3}>
      {() => null}
    </PendingPanel>
  )
}

const valuesOf = ({ fromName, replyTo }: EmailSender) => ({ fromName: fromName ?? '', replyTo: replyTo ?? '' })

function SenderForm({ account, saved }: { account: Account; saved: EmailSender }) {
  const client = useQueryClient()
  const form = useContractForm(EmailSenderChange, { initial: valuesOf(saved) })
  const save = useCall(changeEmailSender, {
    onSuccess(changed) {
      client.setQueryData(senderQuery(account.id).queryKey, changed)
      form.saved(valuesOf(changed))
      showToast(toastWords.saved({ resource: words.senderSaved }))
    },
  })
  return (
    <Form
      form={form}
      save={save}
      label={words.sender}
      wide
      onSubmit={(_, changes) => save.mutate({ params: { id: account.id }, body: changes })}
    >
      <FormPanel heading={words.sender} help={words.senderHelp}>
        <FieldPair>
          <TextField
            {...form.field('fromName', words.fromName)}
            help={words.fromNameHelp}
            autoComplete="off"
            optional
          />
          <TextField
            {...form.field('replyTo', words.replyTo)}
            help={words.replyToHelp}
            type="email"
            autoComplete="off"
            optional
          />
        </FieldPair>
      </FormPanel>
      <FormActions submit={formWords.saveChanges} cancel={() => form.restart(valuesOf(saved))} />
    </Form>
  )
}
