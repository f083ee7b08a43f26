import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import { changeIncomingWebhook, type IncomingWebhook, IncomingWebhookChange } from '#contract/incoming-webhooks.ts'
import { type CallError, withFields } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { CopyField, SwitchField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { authMistakes, authOf, authValuesOf } from './auth.ts'
import { DryRunAnswer, DryRunButton, useDryRun } from './DryRun.tsx'
import { FirstFields } from './FirstFields.tsx'
import styles from './IncomingWebhooks.module.css'
import { MappingFields } from './MappingFields.tsx'
import { labelOf, mappingMistakes, matchOf, placedAtRows, placedByField, rowsOf, sentOf } from './mapping.ts'
import { SamplePanel } from './SamplePanel.tsx'

type Props = { webhook: IncomingWebhook; heading: string; submit: string; cancel: NavigateOptions }

/** The URL, the latest sample, and where in it each field of the target stands. */
export function MappingForm({ webhook, heading, submit, cancel }: Props) {
  const { id, name, target, auth, enabled, url } = webhook
  const router = useRouter()
  const known = authValuesOf(auth)
  const form = useContractForm(IncomingWebhookChange, {
    initial: { name, target, enabled, auth: known, mapping: rowsOf(webhook), partnerMatch: matchOf(webhook) },
    omit: ['target', 'auth', 'mapping', 'partnerMatch'],
    check: (values) => ({ ...authMistakes(values.auth, auth.type), ...mappingMistakes(values) }),
  })
  const { values } = form
  const save = useCall(changeIncomingWebhook, {
    onSuccess: () => {
      toast(t('toast.saved', { resource: t('pages.incomingWebhook') }))
      return router.navigate({ to: '/integrations/incoming-webhooks/$hookId', params: { hookId: id } })
    },
  })
  const refuse = (error: CallError) => form.refuse(withFields(error, placedAtRows(error.fields, values.mapping)))
  const sent = sentOf(values)
  const dryRun = useDryRun(webhook, sent, (error) =>
    form.refuse(withFields(error, placedByField(error.fields, values.mapping))),
  )
  const authChanged = JSON.stringify(values.auth) !== JSON.stringify(known)
  const fields = values.mapping.map(({ field, path }) => ({ label: labelOf(field), path }))
  const partner = { label: t('incomingWebhooks.partner'), path: values.partnerMatch.path }
  return (
    <Form
      wide
      form={{ ...form, refuse }}
      save={save}
      label={heading}
      onSubmit={(body) =>
        save.mutate({ params: { id }, body: { ...body, ...sent, ...(authChanged && { auth: authOf(values.auth) }) } })
      }
    >
      <FormPanel>
        <CopyField label={t('incomingWebhooks.url')} value={url ?? ''} copyLabel={t('incomingWebhooks.copyUrl')} />
        <FirstFields form={form} known={auth.type} />
        <SwitchField {...form.field('enabled', t('form.enabled'))} help={t('incomingWebhooks.enabledHelp')} />
      </FormPanel>
      <div className={styles.columns}>
        <SamplePanel webhook={webhook} fields={[...fields, partner]} />
        <MappingFields webhook={webhook} form={form} />
      </div>
      <DryRunAnswer answer={dryRun.answer} />
      <FormActions submit={submit} cancel={cancel} aside={<DryRunButton {...dryRun} />} />
    </Form>
  )
}
