import { type Connection, ConnectionChange, changeConnection } from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Form, useContractForm } from '../../ui/contract-form.tsx'
import { SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import styles from './PaymentProviders.module.css'
import { SecretEntry } from './SecretEntry.tsx'

/** The address a provider is to send its events to, and the secret it then signs them with. */
export function SigningSecret({ connection, name }: { connection: Connection; name: string }) {
  const { id: connectionId, accountId, webhookUrl } = connection
  const label = t('paymentProviders.secret')
  const form = useContractForm(ConnectionChange, {
    initial: { webhookSecret: '' },
    check: ({ webhookSecret }) => ({
      webhookSecret: webhookSecret.trim() ? undefined : t('rules.required', { label }),
    }),
  })
  const save = useCall(changeConnection, {
    onSuccess: () => toast(t('paymentProviders.secretSaved')),
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
        <SecretEntry {...form.field('webhookSecret', label)} autoComplete="off" />
        <div>
          <SubmitButton>{t('paymentProviders.saveSecret')}</SubmitButton>
        </div>
      </Form>
    </div>
  )
}
