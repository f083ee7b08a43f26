import { useQuery } from '@tanstack/react-query'
import type { NavigateOptions } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { AllowedIp, changeIncomingWebhook, type IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { type CallError, withFields } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, FormPanel, type FormWith, useLeaveForm } from '../../ui/contract-form.tsx'
import { CopyField, SwitchField, TextField } from '../../ui/fields.tsx'
import { findChanges } from '../../ui/form-body.ts'
import { TagsField } from '../../ui/TagsField.tsx'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { AuthFields } from './AuthFields.tsx'
import { toAuth } from './auth.ts'
import { DryRunAnswer, DryRunButton, useDryRun } from './DryRun.tsx'
import styles from './MappingForm.module.css'
import { mappingFieldLabel, placedAtRows, placedByField, type RuleValues, toPath, toRules } from './mapping.ts'
import { PathList } from './PathList.tsx'
import { incomingSendersQuery } from './queries.ts'
import { RuleTabs } from './RuleTabs.tsx'
import { SamplePanel } from './SamplePanel.tsx'
import { SecretField } from './SecretField.tsx'
import { useSamples } from './samples.ts'
import { useMappingForm } from './useMappingForm.ts'

type Props = {
  webhook: IncomingWebhook
  /** It was just created: what was entered already is not asked again. */
  adding?: boolean
  heading: string
  submit: string
  cancel: NavigateOptions
}

/** The URL, the latest payload, and the rules by which its values become records. */
export function MappingForm({ webhook, adding = false, heading, submit, cancel }: Props) {
  const { id, auth, url } = webhook
  const leave = useLeaveForm()
  const samples = useSamples(webhook)
  const { sample } = samples
  const { data: senders } = useQuery(incomingSendersQuery(webhook.accountId))
  const sender = senders?.items.find((one) => one.sender === webhook.sender)
  const form = useMappingForm(webhook, adding ? sender?.open : undefined)
  const { values } = form
  const { rules } = values
  const [chosen, choose] = useState(0)
  const current = Math.min(chosen, Math.max(0, rules.length - 1))
  const save = useCall(changeIncomingWebhook, {
    onSuccess: () => {
      showToast(toastWords.saved({ resource: pageWords.incomingWebhook }))
      return leave({ to: '/integrations/incoming-webhooks/$hookId', params: { hookId: id } })
    },
  })
  const refuse = (error: CallError) => form.refuse(withFields(error, placedAtRows(error.fields, rules)))
  const sent = toRules(rules)
  const dryRun = useDryRun({ id, sample }, sent, (error, failed) =>
    form.refuse(
      withFields(error, failed < 0 ? placedAtRows(error.fields, rules) : placedByField(error.fields, rules, failed)),
    ),
  )
  return (
    <Form
      wide
      form={{ ...form, refuse }}
      save={save}
      label={heading}
      onSubmit={(body) =>
        save.mutate({
          params: { id },
          body: findChanges({ ...body, rules: sent, auth: toAuth(values.auth) }, webhook),
        })
      }
    >
      <FormPanel>
        <CopyField label={incomingWebhookWords.url} value={url ?? ''} copyLabel={incomingWebhookWords.copyUrl} />
        {sender && (adding || sample === null) && (
          <div className="stack gap-2">
            <strong>{incomingWebhookWords.steps({ sender: sender.name })}</strong>
            <ol className={styles.steps}>
              {sender.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </div>
        )}
        {adding && sender ? (
          <SecretField
            form={form}
            type={auth.type}
            placeholder={incomingWebhookWords.kept}
            help={incomingWebhookWords.laterSecretOf({ sender: sender.name })}
          />
        ) : (
          <>
            <TextField {...form.field('name', fieldWords.name)} />
            <AuthFields form={form} known={auth.type} />
            <SwitchField {...form.field('enabled')} help={incomingWebhookWords.enabledHelp} />
          </>
        )}
      </FormPanel>
      <div className={`stack ${styles.columns}`}>
        <SamplePanel
          webhook={webhook}
          sender={sender}
          samples={samples}
          target={rules[current]?.target}
          reading={readingOf(rules[current])}
        />
        <RuleTabs
          webhook={webhook}
          sender={sender}
          sample={sample}
          form={form}
          current={current}
          choose={choose}
          suggests={adding}
        />
      </div>
      {!adding && <LimitFields form={form} sample={sample} />}
      <DryRunAnswer answer={dryRun.answer} />
      <FormActions submit={submit} cancel={cancel} aside={<DryRunButton {...dryRun} />} />
    </Form>
  )
}

/** The fields that a rule reads. */
function readingOf(rule: RuleValues | undefined) {
  const fields = rule?.mapping.map((row) => ({ label: mappingFieldLabel(row.field), path: toPath(row) })) ?? []
  const partner = { label: labelWords.partner, path: rule?.partnerMatch.path ?? '' }
  return { each: rule?.each ?? '', fields: [...fields, partner] }
}

type LimitFieldsProps = {
  form: FormWith<{ dedupePath: string; allowedIps: string[] }>
  /** The sample that is selected. */
  sample: unknown
}

/** The path that identifies duplicates, and the allowed IP addresses. */
function LimitFields({ form: { field }, sample }: LimitFieldsProps) {
  const paths = useId()
  return (
    <FormPanel heading={incomingWebhookWords.limits}>
      <PathList id={paths} sample={sample} />
      <TextField
        {...field('dedupePath', labelWords.dedupePath)}
        list={paths}
        spellCheck={false}
        optional
        help={incomingWebhookWords.dedupeHelp}
      />
      <TagsField
        {...field('allowedIps', labelWords.allowedIps)}
        optional
        placeholder={incomingWebhookWords.addAllowedIp}
        help={incomingWebhookWords.allowedIpsHelp}
        isWrong={(address) => !AllowedIp.safeParse(address).success}
      />
    </FormPanel>
  )
}
