import {
  type AvailableProvider,
  ConnectionChange,
  changeConnection,
  type ProviderConnection,
} from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Form, useContractForm } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { SubmitButton } from '../../ui/form.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { CredentialField } from './CredentialField.tsx'
import styles from './PaymentProviders.module.css'

type Props = { connection: ProviderConnection; offer: AvailableProvider | undefined; name: string }

/**
 * The URL that the provider must send its events to, and the field for what verifies them: a signing secret, or an id
 * that is not secret.
 */
export function SigningSecret({ connection, offer, name }: Props) {
  const may = usePermission()
  const { id: connectionId, accountId } = connection
  const field = offer?.fields.find(({ key }) => key === offer.signingField)
  const label = field?.label ?? paymentProviderWords.secret
  const isSecret = field?.secret ?? true
  const Control = isSecret ? CredentialField : TextField
  const form = useContractForm(ConnectionChange, {
    initial: { webhookSecret: '' },
    check: ({ webhookSecret }) => ({
      webhookSecret: webhookSecret.trim() ? undefined : basicWords.rules.required({ label }),
    }),
  })
  const save = useCall(changeConnection, {
    onSuccess: () => showToast(isSecret ? paymentProviderWords.secretSaved : paymentProviderWords.idSaved({ label })),
  })
  return (
    <div className="stack">
      <WebhookUrl connection={connection} offer={offer} />
      {may(changeConnection) && (
        <Form
          form={form}
          save={save}
          label={paymentProviderWords.secretForm({ provider: name })}
          onSubmit={(body) => save.mutate({ params: { id: accountId, connectionId }, body })}
        >
          <Control {...form.field('webhookSecret', label)} autoComplete="off" />
          <div>
            <SubmitButton>{isSecret ? paymentProviderWords.saveSecret : paymentProviderWords.saveId}</SubmitButton>
          </div>
        </Form>
      )}
    </div>
  )
}

/** The URL, and what else the provider asks for. */
export function WebhookUrl({ connection: { webhookUrl }, offer }: Omit<Props, 'name'>) {
  if (!webhookUrl) return null
  return (
    <div className={`stack gap-2 start ${styles.url}`}>
      <CodeBlock label={paymentProviderWords.webhookUrl}>{webhookUrl}</CodeBlock>
      <CopyButton value={webhookUrl} label={paymentProviderWords.copyUrl} />
      {offer?.webhookSteps && <p className="muted small">{offer.webhookSteps}</p>}
    </div>
  )
}
