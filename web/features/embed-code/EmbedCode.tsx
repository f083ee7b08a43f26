import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type EmbedCode as Code,
  consentModes,
  EmbedCodeChange,
  embedElements,
  formsModes,
  type MatchedElements,
  type PickedElements,
  type SelectorType,
  saveEmbedCode,
} from '#contract/embed.ts'
import { isDomain } from '#contract/values.ts'
import { useCall } from '../../calls.ts'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { PlayThrough } from '../../shared/PlayThrough.tsx'
import { toDomain } from '../../shared/typed-addresses.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Form, FormActions, useContractForm } from '../../ui/contract-form.tsx'
import { FieldPair, SelectField, SwitchField, TextField } from '../../ui/fields.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TagsField } from '../../ui/TagsField.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { embedCodeWords } from '../../words/embed-code.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { CodePanel } from './CodePanel.tsx'
import { ElementRows } from './ElementRows.tsx'
import { embedCode } from './queries.ts'

const SiteCheck = lazyComponent(async () => (await import('./SiteCheck.tsx')).SiteCheck)

export function EmbedCode() {
  const { id } = useAccount()
  const answer = useQuery(embedCode(id))
  const { data } = answer
  return (
    <Page heading={pageWords.embedCode} actions={<PlayThrough accountId={id} />}>
      <HowItWorks of="embed-code" unused={data === null} />
      {data === undefined ? (
        <Panel>
          <Pending answer={answer} rows={8} />
        </Panel>
      ) : (
        <Loaded accountId={id} code={data} />
      )}
    </Page>
  )
}

function Loaded({ accountId, code }: { accountId: string; code: Code | null }) {
  const client = useQueryClient()
  const may = usePermission()
  const [matched, setMatched] = useState<MatchedElements | null>(null)
  const form = useContractForm(EmbedCodeChange, { initial: valuesOf(code), exact: true })
  const save = useCall(saveEmbedCode, {
    onSuccess: (saved) => {
      client.setQueryData(embedCode(accountId).queryKey, saved)
      form.saved(valuesOf(saved))
      setMatched(null)
      showToast(toastWords.saved({ resource: embedCodeWords.resource }))
    },
  })
  const { field, values } = form
  /** Fills in what was picked, unsaved. */
  function fill(picked: PickedElements) {
    const chosen = embedElements.flatMap((key) => (picked[key] ? [[key, { key, ...picked[key] }]] : []))
    form.set({ config: { ...values.config, ...Object.fromEntries(chosen) } })
  }
  const consent = field('consentMode', labelWords.consentMode)
  const forms = field('forms', labelWords.forms)
  return (
    <>
      <CodePanel code={code} />
      <TwoColumns
        code
        aside={
          <SiteCheck
            accountId={accountId}
            code={code}
            unsaved={form.dirty}
            matched={matched}
            onMatched={setMatched}
            onPicked={fill}
          />
        }
      >
        <Form
          wide
          form={form}
          save={save}
          label={pageWords.embedCode}
          onSubmit={(body, changes) => save.mutate({ params: { id: accountId }, body: code ? changes : body })}
        >
          <fieldset disabled={!may(saveEmbedCode)} className="stack">
            {code && !code.formsChosen && (
              <Message
                kind="info"
                action={
                  may(saveEmbedCode) && (
                    <Button
                      small
                      onClick={() => save.mutate({ params: { id: accountId }, body: { forms: code.forms } })}
                    >
                      {embedCodeWords.formsKeep}
                    </Button>
                  )
                }
              >
                {embedCodeWords.formsNews}
              </Message>
            )}
            <Panel className="inset-all">
              <SelectField
                {...forms}
                onChange={(mode) => mode && forms.onChange(mode)}
                choices={formsModes.map((value) => ({ value, label: embedCodeWords.forms[value] }))}
                help={embedCodeWords.formsHelp[values.forms]}
              />
            </Panel>
            <ElementRows form={form} matched={matched} />
            <Panel className="stack inset-all">
              <TagsField
                {...field('domains', labelWords.domains)}
                placeholder={embedCodeWords.addDomain}
                help={values.domains.length > 0 && embedCodeWords.domainsHelp}
                tidy={toDomain}
                isWrong={(domain) => !isDomain(domain)}
              />
              {values.domains.length === 0 && <Message kind="warning">{embedCodeWords.anySite}</Message>}
              <TagsField
                {...field('checkoutDomains', labelWords.checkoutDomains)}
                placeholder={embedCodeWords.addDomain}
                help={embedCodeWords.checkoutDomainsHelp}
                tidy={toDomain}
                isWrong={(domain) => !isDomain(domain)}
              />
              <FieldPair>
                <SelectField
                  {...consent}
                  onChange={(mode) => mode && consent.onChange(mode)}
                  choices={consentModes.map((value) => ({ value, label: embedCodeWords.consent[value] }))}
                  help={embedCodeWords.consentHelp[values.consentMode]}
                />
                <SwitchField
                  stacked
                  {...field('onlyIfReferred', fieldWords.onlyIfReferred)}
                  help={values.onlyIfReferred ? embedCodeWords.onlyReferredOn : embedCodeWords.onlyReferredOff}
                />
              </FieldPair>
              <TextField
                {...field('path', labelWords.path)}
                autoComplete="off"
                spellCheck={false}
                placeholder={embedCodeWords.pathPlaceholder}
                help={embedCodeWords.pathHelp}
              />
            </Panel>
          </fieldset>
          {may(saveEmbedCode) && (
            <FormActions submit={formWords.saveChanges} cancel={() => form.restart(valuesOf(code))} />
          )}
        </Form>
      </TwoColumns>
    </>
  )
}

type Values = Required<
  Pick<Code, 'config' | 'domains' | 'checkoutDomains' | 'onlyIfReferred' | 'consentMode' | 'forms'>
> & { path: string }
export type ElementValues = Values['config']

const none = Object.fromEntries(
  embedElements.map((key) => [key, { key, selectorType: 'default' as SelectorType, selectorValue: '' }]),
) as ElementValues

const valuesOf = (code: Code | null): Values =>
  code
    ? {
        config: code.config,
        domains: code.domains,
        checkoutDomains: code.checkoutDomains,
        onlyIfReferred: code.onlyIfReferred,
        consentMode: code.consentMode,
        forms: code.forms,
        path: code.path ?? '',
      }
    : {
        config: none,
        domains: [],
        checkoutDomains: [],
        onlyIfReferred: true,
        consentMode: 'off',
        forms: 'sign-ups',
        path: '',
      }
