import {
  type AvailableProvider,
  type Connection,
  ConnectionChange,
  changeConnection,
} from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Form, useContractForm } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { CredentialField } from './CredentialField.tsx'
import styles from './PaymentProviders.module.css'

type Props = { connection: Connection; offer: AvailableProvider | undefined; name: string }

/**
 * The URL that the provider must send its events to, and the field for what verifies them: a signing secret, or an id
 * that is not secret.
 */
export function SigningSecret({ connection, offer, name }: Props) {
  const { id: connectionId, accountId, webhookUrl } = connection
  const field = offer?.fields.find(({ key }) => key === offer.signingField)
  const label = field?.label ?? t('paymentProviders.secret')
  const isSecret = field?.secret ?? true
  const Control = isSecret ? CredentialField : TextField
  const form = useContractForm(ConnectionChange, {
    initial: { webhookSecret: '' },
    check: ({ webhookSecret }) => ({
      webhookSecret: webhookSecret.trim() ? undefined : t('rules.required', { label }),
    }),
  })
  const save = useCall(changeConnection, {
    onSuccess: () => toast(isSecret ? t('paymentProviders.secretSaved') : t('paymentProviders.idSaved', { label })),
  })
  return (
    <div className={styles.secret}>
      {webhookUrl && (
        <div className={styles.url}>
          <CodeBlock label={t('paymentProviders.webhookUrl')}>{webhookUrl}</CodeBlock>
          <CopyButton value={webhookUrl} label={t('paymentProviders.copyUrl')} />
        </div>
      )}
      <Form
        form={form}
        save={save}
        label={t('paymentProviders.secretForm', { provider: name })}
        onSubmit={(body) => save.mutate({ params: { id: accountId, connectionId }, body })}
      >
        <Control {...form.field('webhookSecret', label)} autoComplete="off" />
        <div>
          <SubmitButton>{t(isSecret ? 'paymentProviders.saveSecret' : 'paymentProviders.saveId')}</SubmitButton>
        </div>
      </Form>
    </div>
  )
}
