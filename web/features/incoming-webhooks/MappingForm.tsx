import type { NavigateOptions } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useRef } from 'react'
import { changeIncomingWebhook, type IncomingWebhook, IncomingWebhookChange } from '#contract/incoming-webhooks.ts'
import { type CallError, withFields } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { CopyField, SwitchField } from '../../ui/fields.tsx'
import { changesOf } from '../../ui/form-body.ts'
import { isSame } from '../../ui/form-values.ts'
import { toast } from '../../ui/toasts.ts'
import { labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { authMistakes, authOf, authValuesOf } from './auth.ts'
import { DryRunAnswer, DryRunButton, useDryRun } from './DryRun.tsx'
import { FirstFields } from './FirstFields.tsx'
import { MappingFields, PathList } from './MappingFields.tsx'
import styles from './MappingForm.module.css'
import {
  filterMistakes,
  filtersOf,
  mappingFieldLabel,
  mappingMistakes,
  mappingRows,
  matchOf,
  pathOf,
  placedAtRows,
  placedByField,
  sentOf,
  withLaterGuesses,
} from './mapping.ts'
import { RuleFields } from './RuleFields.tsx'
import { SamplePanel } from './SamplePanel.tsx'
import { useSamples } from './samples.ts'

type Props = { webhook: IncomingWebhook; heading: string; submit: string; cancel: NavigateOptions }

/** The URL, the latest payload, and the mapping of its values to the target's fields. */
export function MappingForm({ webhook, heading, submit, cancel }: Props) {
  const { id, auth, url } = webhook
  const leave = useLeaveForm()
  const paths = useId()
  const samples = useSamples(webhook)
  const { sample } = samples
  const form = useMappingForm(webhook)
  const { values } = form
  const save = useCall(changeIncomingWebhook, {
    onSuccess: () => {
      toast(toastWords.saved({ resource: pageWords.incomingWebhook }))
      return leave({ to: '/integrations/incoming-webhooks/$hookId', params: { hookId: id } })
    },
  })
  const refuse = (error: CallError) => form.refuse(withFields(error, placedAtRows(error.fields, values)))
  const sent = sentOf(values)
  const dryRun = useDryRun({ id, sample }, sent, (error) =>
    form.refuse(withFields(error, placedByField(error.fields, values.mapping))),
  )
  const fields = values.mapping.map((row) => ({ label: mappingFieldLabel(row.field), path: pathOf(row) }))
  const partner = { label: labelWords.partner, path: values.partnerMatch.path }
  return (
    <Form
      wide
      form={{ ...form, refuse }}
      save={save}
      label={heading}
      onSubmit={(body) =>
        save.mutate({
          params: { id },
          body: changesOf({ ...body, ...sent, filters: filtersOf(values.filters), auth: authOf(values.auth) }, webhook),
        })
      }
    >
      <FormPanel>
        <CopyField label={incomingWebhookWords.url} value={url ?? ''} copyLabel={incomingWebhookWords.copyUrl} />
        <FirstFields form={form} known={auth.type} />
        <SwitchField {...form.field('enabled')} help={incomingWebhookWords.enabledHelp} />
      </FormPanel>
      <PathList id={paths} sample={sample} />
      <div className={`stack ${styles.columns}`}>
        <SamplePanel webhook={webhook} samples={samples} fields={[...fields, partner]} />
        <MappingFields webhook={webhook} sample={sample} form={form} paths={paths} />
      </div>
      <RuleFields form={form} paths={paths} />
      <DryRunAnswer answer={dryRun.answer} />
      <FormActions submit={submit} cancel={cancel} aside={<DryRunButton {...dryRun} />} />
    </Form>
  )
}

function useMappingForm(webhook: IncomingWebhook) {
  const { name, target, auth, enabled, filters, dedupePath, allowedIps } = webhook
  const known = authValuesOf(auth)
  const guessed = useMemo(() => ({ mapping: mappingRows(webhook), partnerMatch: matchOf(webhook) }), [webhook])
  const form = useContractForm(IncomingWebhookChange, {
    initial: {
      ...{ name, target, enabled, auth: known, filters, dedupePath: dedupePath ?? '', allowedIps },
      ...guessed,
    },
    omit: ['target', 'auth', 'mapping', 'partnerMatch', 'filters'],
    check: (values) => ({
      ...authMistakes(values.auth, auth.type),
      ...mappingMistakes(values),
      ...filterMistakes(values.filters),
    }),
  })
  const { values, set } = form
  const begun = useRef(guessed)
  useEffect(() => {
    const before = begun.current
    begun.current = guessed
    if (!isSame(before, guessed)) set(withLaterGuesses(values, before, guessed))
  }, [guessed, values, set])
  return form
}
